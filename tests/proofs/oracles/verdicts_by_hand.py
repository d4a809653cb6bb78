"""Verdicts read off papers and notes by hand, before any program had a say."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the claims of some modules are found to be."""

    modules: tuple[str, ...]  # below `logca.proofs.claims`
    prefix: str = ""  # what the ids of these claims begin with
    # ids without the prefix, separated by blanks
    proved: str
    corrected: str = ""
    undecided: str = ""

    def verdicts(self) -> Iterator[tuple[str, str]]:
        """Ids of claims with their verdicts."""
        for verdict in ("proved", "corrected", "undecided"):
            for name in getattr(self, verdict).split():
                yield self.prefix + name, verdict


READINGS = (
    Reading(
        modules=(
            "cal2015.model",
            "cal2015.granularity",
            "cal2015.latency",
            "cal2015.evaluation",
        ),
        prefix="cal2015-",
        proved="""
sec1-outweigh fig1-break-even table1-index table1-acceleration sec2-accelerated-time
sec2-constant-latency sec2-linear-latency sec2-pipelined eq1 eq2
sec2-less-latency sec2-less-overhead sec2-more-index sec2-more-acceleration
sec2.1-increasing sec2.1-bounded eq3 eq4 eq4-smallest eq4-overheads-dominate
sec2.2-g1-break-even sec2.2-g1-minimum eq5 eq5-existence implication1 implication2
sec2.2-gA2-half-peak sec2.2-ramp eq6 eq7 implication3 sec2.2-gA2-grows sec2.2-dilemma
eq8 sec2.3-increasing eq9 sec2.3-large-acceleration implication4 eq10 eq10-smallest
eq10-overheads eq11 eq11-minimum eq11-positive implication5 eq12 eq12-positive implication6
implication6-sufficient sec2.3-infinite-acceleration sec2.3-gA-equals-gA2 implication7
implication7-intensity implication7-resources
sec3-measure-index sec3-interface-raises-g1 sec3-no-half-peak
sec3-t2-over-sandy-bridge sec3-t2-breaks-even-later sec3-gpu-below-t2 sec3-gpu-better-interface
sec4-bound-and-bottleneck
""",
        corrected="""
sec2.2-gA2-after-break-even implication5-decides sec2.3-goal-ratio sec2.3-goal-only
sec3-measure-overhead sec3-measure-acceleration sec3-half-peak-marks sec3-gpu-breaks-even
sec3-large-g1 sec2-computational-intensity eq4-amdahl sec2.3-t2-latency
""",
    ),
    Reading(
        modules=(
            "isca2017.model",
            "isca2017.granularity",
            "isca2017.latency",
            "isca2017.linear_latency",
            "isca2017.intensity",
            "isca2017.half_peak",
            "isca2017.bottlenecks",
        ),
        prefix="isca2017-",
        proved="""
sec1-underperform sec1-threshold sec1-break-even-points table1-acceleration sec2-host-time
sec2-complexity-range sec2-accelerated-time-constant sec2-accelerated-time-linear
sec2-acceleration eq1 sec2-logarithm-no-power eq2 sec2-depends-on-latency
sec2-depends-on-overhead sec2-depends-on-index sec2-depends-on-acceleration sec2-kernel-fusion
sec2.1-increases-with-granularity sec2.1-bounded-by-acceleration eq3 eq4-bound
sec2.1-overheads-dominate
sec2.2-break-even sec2.2-break-even-least eq5 implication1 implication2
implication2-profound implication2-beta-0.5 implication2-beta-1 implication2-beta-2
sec2.2-half-peak eq6 eq7 implication3 implication3-pronounced implication3-beta-0.5
implication3-beta-1 implication3-beta-2 sec2.2-acceleration-raises-half-peak sec2.2-dilemma
sec2.2-complex-interface sec2.2-distant-accelerator
eq8 eq9-bound eq9-sublinear eq9-linear eq9-superlinear sec2.3-approaches-sublinear
sec2.3-linear-limited-by-intensity
implication4 implication4-latency-exceeds-computation implication4-deceleration
implication4-contrast eq10-like-eq4 eq10-overheads eq11-linear
sec2.3-linear-at-least-1 sec2.3-superlinear-below-1 sec2.3-superlinear-small-index
eq12-linear sec2.3-half-peak-linear-at-least-A sec2.3-half-peak-superlinear-below-A
implication6-sublinear-time sec2.3-example-linear sec2.3-example-superlinear
sec2.3-hypothetical-accelerator eq13-linear sec2.3-eq13-like-eq12 sec2.3-gA-equals-gA2
sec2.3-peak-at-half-peak sec2.3-gA-not-achievable implication7-interface
sec3.1-bounds sec3.1-compute-bound-constant sec3.1-compute-bound-superlinear
sec3.1-latency-bound-linear sec3.1-latency-bound-sublinear sec3.1-compute-bound-investment
sec3.2-bottleneck-overhead sec3.2-bottleneck-latency sec3.2-bottleneck-index
sec3.2-bottleneck-acceleration fig5a-negligible fig5b-setup-cost fig5b-small fig5b-large
fig5c-gains fig5c-decrease fig5c-computation-time fig5d-small fig5d-large
fig5d-setup-cost fig5d-only-large fig6-cutoff-overhead fig6-cutoff-latency fig6-cutoff-index
fig6-cutoff-acceleration sec2-closed-form
eq10-no-overhead-linear implication1-per-byte implication1-interface-per-byte
sec2.2-interface-per-byte fig5b-per-byte fig5d-per-byte-superlinear
""",
        corrected="""
sec1-gpu-breaks-even table1-index sec2-logarithm-slowest sec2-pipelined-interface sec2-intensity
sec2-accelerator-intensity eq4
sec2.2-half-peak-after-break-even sec2.2-low-break-even-low-overheads
eq9 sec2.3-approaches-linear sec2.3-approaches-superlinear
sec2.3-linear-instead-of-acceleration implication4-cause eq10 eq11 eq11-superlinear
eq11-sublinear
eq11-positive-necessary eq11-positive-sufficient eq11-exists-necessary eq11-exists-sufficient
sec2.3-linear-at-least-1-sufficient sec2.3-sublinear-above-1 implication5
implication5-sufficient eq12-positive-necessary eq12-positive-sufficient eq12-exists-necessary
eq12-exists-sufficient
eq12 sec2.3-half-peak-linear-at-least-A-sufficient sec2.3-half-peak-sublinear-above-A
implication6 implication6-sufficient implication6-superlinear-time sec2.3-example-sublinear
eq13 sec2.3-half-peak-not-achievable implication7
sec3.1-latency-bound sec3.1-latency-bound-investment-linear
fig5a-independent fig5c-setup-cost fig5b-bottleneck eq4-amdahl implication1-interface
sec2.3-limit-superlinear sec2.3-limit-sublinear
sec3.1-latency-bound-investment-sublinear sec3.1-latency-bound-investment-linear-overhead
table1-latency sec2-closed-form-granularity fig6-high-cutoff
sec2.1-increases-with-granularity-per-byte eq10-no-overhead-sublinear
eq10-no-overhead-superlinear implication2-per-byte implication3-per-byte eq7-per-byte
fig5c-per-byte fig5d-per-byte-linear fig5d-per-byte-sublinear fig5d-only-large-per-byte
""",
    ),
    Reading(
        modules=(
            "isca2017.figures_5_and_6",
            "isca2017.parameters",
            "isca2017.linear_kernels",
            "isca2017.nonlinear_kernels",
            "isca2017.crypto_accelerators",
            "isca2017.gpu_matrix_product",
        ),
        prefix="isca2017-",
        proved="""
fig5b-overhead-amortised fig5c-similar-to-overhead fig6-region-oc-grid fig6-region-a
fig6-overheads-at-lower-granularities fig6-no-latency fig6-acceleration-2kb-grid
fig6-overhead-32kb-grid fig6-index-32kb-grid sec4-acceleration-from-large-granularities
sec5.1-limited-by-intensity-gpu sec5.1-limited-by-acceleration sec5.1-t2-sandy-bridge
sec5.1-sandy-bridge sec5.1-gpu-highest-acceleration sec5.1-g1-left sec5.1-half-peak-on-chip
sec5.1-half-peak-gpu sec5.1-sha sec5.1-acceleration-raises-half-peak sec5.2-gemm-fastest
sec5.2-fft-intensity-gpu sec5.3-no-break-even-gpu
sec5.3-no-break-even-apu sec5.3-intensity-gpu sec5.3-speedup-decreases fig10-no-latency
fig10-overhead-shrinks fig10-acceleration-expands fig10b-cutoffs-grid fig10d-cutoff-overhead-grid
fig10d-smaller-break-even fig10e-two-regions-grid fig10e-no-gain-before
fig10e-cutoff-overhead-grid fig10e-acceleration-from-16 fig10e-acceleration-widest
fig11-compute-bound fig11-index-occupies-most-gpu fig11-index-occupies-most-apu
fig11a-four-regions fig11a-latency-dominates fig11b-four-regions fig11b-overheads-high
fig11b-cutoff-acceleration-grid fig11b-more-potential
""",
        corrected="""
fig6-region-oc fig6-acceleration-2kb fig6-overhead-32kb fig6-index-32kb table4-gemm
table4-linear-kernels sec4-logarithm table4-logarithm sec4-overhead-from-small-granularities
sec5.1-large-granularities sec5.1-limited-by-intensity-gpu-table4 sec5.1-limited-by-intensity-apu
sec5.1-gpu-slowest sec5.1-g1-right sec5.1-half-peak-apu sec5.1-gpu-apu-comparable
sec5.1-apu-copying sec5.1-radix-predicted sec5.1-radix-half-peak sec5.2-fft-half-peak-gpu
sec5.2-fft-half-peak-apu sec5.2-fft-condition sec5.2-fft-intensity-apu sec5.3-intensity-apu
sec5.3-intensity-necessary sec5.3-intensity-sufficient fig10-no-latency-t4
sec5.4-cutoff-overhead-t4 fig10d-three-regions fig10d-cutoff-overhead fig10d-cutoff-acceleration
fig10e-two-regions fig10e-approaches-peak fig10e-cutoff-overhead fig11a-cutoff-overhead
fig11a-cutoff-acceleration fig11b-cutoff-latency fig11b-cutoff-acceleration
sec5.2-complexity-raises-speedup
fig10-bottlenecks-optimized fig11b-four-regions-grid table4-fft sec5.1-half-peak-gpu-table4
table4-exponents sec4-latency-from-bandwidth sec4-acceleration-from-flops table3-flops
""",
        undecided="""
sec5.1-pcie-crypto fig10a-cutoff-overhead fig10a-regions fig11c-regions fig11c-cutoff-overhead
fig11c-cutoff-acceleration
sec5.3-upper-bound
""",
    ),
    Reading(
        modules=(
            "wang2017.memory",
            "wang2017.execution",
            "wang2017.shared_memory",
            "wang2017.tables",
        ),
        prefix="wang2017-",
        proved="""
sec3.3.3-transactions eq1 eq2 eq3 eq4 eq6 eq7 eq8 sec3.3.4-size eq9-ways
sec2.3-figure3a sec2.3-figure3b sec2.3-waits eq12 eq13 eq14 eq18 eq16-latency eq17-latency
table3-load eq19 eq20 eq21-eq22 sec4.3-gain
table4-errors table6-gain table7-choice sec4.5-errors-high
""",
        corrected="""
eq1-miss eq2-longer sec3.3.4-mean eq5 sec3.3.4-hit eq24 eq25
eq15 eq16-periods eq16-adopted eq17-adopted eq16-both-bounded eq16-eq17-crossing
eq16-computation sec4.1-mwp eq23 table5-gemm
abstract-error table4-gesummv sec4.4.1-uncoalesced sec4.5-errors-low
""",
    ),
    Reading(
        modules=("kenter2010.runtime", "kenter2010.results"),
        prefix="kenter2010-",
        proved="""
t t-pays te tm tc tr tr-push sec2.b-greedy sec3.a-twice sec3.a-memory sec3.b-shared-l1
sec3.d-baseline-grows sec3.e-factor sec3.e-latency
""",
        corrected="""
tr-once sec2.b-overestimates sec3.a-relative sec3.a-baseline sec3.d-casts
""",
        undecided="""
sec3.a-range sec3.b-order
""",
    ),
    Reading(
        modules=(
            "lemmas",
            "ours.ceilings_and_hill_curve",
            "ours.targets",
            "ours.asymptotes",
            "ours.identifiability",
        ),
        proved="""
lemma-power-monotone lemma-power-slope lemma-power-tangent lemma-power-product
lemma-log-monotone lemma-log-tangent
ext-harmonic ext-harmonic-terms
ext-roofline ext-roofline-equality ext-roofline-ridge-constant ext-roofline-ridge-superlinear
ext-roofline-ridge-sublinear ext-roofline-three-ceilings ext-roofline-three-equality
ext-odds ext-odds-logit ext-odds-stable
ext-hill ext-hill-hockney ext-hill-logistic ext-hill-inflection-log ext-hill-inflection
ext-hill-concave ext-hill-rise-width ext-hill-mirror
ext-ceilings-overhead ext-ceilings-latency ext-ceilings-acceleration ext-ceilings-latency-bound
ext-gs-i ext-gs-i-unreachable
ext-target-equivalence ext-target-equivalence-index ext-target-equivalence-pairs
ext-target-equivalence-upper ext-target-equivalence-half ext-target-equivalence-break-even
ext-monotone-acceleration ext-monotone-overhead ext-monotone-exponent
ext-affine-latency ext-affine-latency-roots
ext-loglog-asymptotes-overhead ext-loglog-asymptotes-constant ext-loglog-asymptotes-corner
ext-loglog-asymptotes-superlinear ext-loglog-asymptotes-linear
ext-loglog-asymptotes-sublinear ext-loglog-asymptotes-slopes
ext-loglog-asymptotes-corners ext-loglog-asymptotes-order
ext-i-vs-d
ext-identifiability ext-identifiability-constant ext-identifiability-linear-kernel
ext-posynomial ext-posynomial-convex
""",
    ),
    Reading(
        modules=(
            "ours.existence",
            "ours.peak",
            "ours.brackets",
            "ours.edge_cases",
        ),
        proved="""
ext-existence-constant ext-existence-superlinear ext-existence-superlinear-unique
ext-existence-linear ext-existence-linear-none ext-existence-linear-break-even
ext-existence-sublinear-rise ext-existence-sublinear-fall ext-existence-sublinear-two
ext-existence-sublinear-one ext-existence-sublinear-none ext-existence-sublinear-interval
ext-entropy-threshold ext-entropy-threshold-value ext-entropy-threshold-range
ext-entropy-threshold-kappa ext-entropy-threshold-equivalent ext-entropy-threshold-intensity
ext-entropy-threshold-half
ext-peak ext-peak-slope ext-peak-value ext-peak-shares ext-peak-none
ext-savings ext-savings-slope ext-savings-positive ext-savings-interlacing
ext-savings-denominator
ext-brackets-lower ext-brackets-upper ext-brackets-parts ext-brackets-superlinear
ext-budgets-overhead ext-budgets-latency
ext-edge-cases-no-overhead ext-edge-cases-no-overhead-linear ext-edge-cases-nothing
ext-edge-cases-no-acceleration ext-edge-cases-acceleration-to-one
ext-edge-cases-acceleration-unbounded ext-edge-cases-exponent-to-zero
ext-edge-cases-exponent-to-one ext-edge-cases-exponent-to-one-bound
ext-few-sizes-slope ext-few-sizes-below
""",
    ),
    Reading(
        modules=(
            "ours.closed_forms",
            "ours.symmetries",
            "ours.series",
            "ours.newton",
        ),
        proved="""
ext-radicals-half-lower ext-radicals-half-upper ext-radicals-two ext-radicals-third-lower
ext-radicals-third-upper ext-radicals-two-thirds-lower ext-radicals-two-thirds-upper
ext-radicals-three-halves ext-radicals-three
ext-lambert-log ext-lambert-log-speedup ext-lambert-log-peak ext-lambert-log-peak-greatest
ext-lambert-log-existence ext-lambert-log-constant
ext-lambert-glog ext-lambert-glog-speedup ext-lambert-glog-constant
ext-duality ext-duality-roots
ext-units ext-units-roots ext-units-invariant ext-units-intensity ext-units-newton
ext-units-newton-unit-free
ext-series-epsilon ext-series-omega ext-series-epsilon-coefficients ext-series-epsilon-second
ext-series-omega-coefficients ext-series-omega-coefficients-upper
ext-series-radius-kappa ext-series-radius-sublinear ext-series-radius-sublinear-upper
ext-series-radius-complementary ext-series-radius-complementary-epsilon
ext-series-radius-complementary-omega
ext-series-radius-singularity ext-series-radius-singularity-superlinear
ext-series-radius-singularity-omega ext-series-radius-singularity-omega-superlinear
ext-newton-step ext-newton-step-printed ext-newton-exact ext-newton-residual
ext-newton-residual-sign
ext-newton-side-superlinear ext-newton-side-sublinear ext-newton-error
ext-newton-error-unbounded ext-newton-error-bound ext-newton-error-bound-value
ext-newton-error-bound-exists
ext-newton-error-bound-sublinear ext-newton-error-bound-sublinear-value
ext-unit-free-newton ext-unit-free-newton-exact ext-unit-free-newton-ceiling
ext-unit-free-newton-floor ext-unit-free-newton-defined ext-unit-free-newton-error
ext-unit-free-newton-radix ext-unit-free-newton-gemm
ext-log-newton ext-log-newton-tangent ext-log-newton-starts-lower
ext-log-newton-starts-upper ext-log-newton-starts-superlinear ext-log-newton-tangency
""",
    ),
    Reading(
        modules=("ours.sensitivity",),
        proved="""
ext-elasticities-shares ext-elasticities-o ext-elasticities-latency
ext-elasticities-latency-affine ext-elasticities-index ext-elasticities-acceleration
ext-elasticities-exponent ext-elasticities-granularity ext-elasticities-granularity-linear
ext-elasticities-granularity-constant
ext-sum-rules-scale ext-sum-rules-index-acceleration ext-sum-rules-all ext-sum-rules-absolute
ext-sum-rules-granularity ext-sum-rules-granularity-linear ext-sum-rules-granularity-constant
ext-gs-elasticities-overhead ext-gs-elasticities-latency ext-gs-elasticities-index
ext-gs-elasticities-acceleration ext-gs-elasticities-sum ext-gs-elasticities-tangency
ext-gs-elasticities-signs-lower ext-gs-elasticities-signs-upper ext-gs-elasticities-existence
ext-slope-curvature-mean ext-slope-curvature-variance ext-slope-curvature-concave
ext-slope-curvature-midpoint ext-slope-curvature-interval ext-slope-curvature-interval-strict
""",
    ),
    Reading(
        modules=(
            "ours.gains",
            "ours.cutoffs",
        ),
        proved="""
ext-amdahl-gain-overhead ext-amdahl-gain-latency ext-amdahl-gain-latency-affine
ext-amdahl-gain-acceleration ext-amdahl-gain-index ext-amdahl-gain-bounds
ext-thresholds-theta ext-thresholds-overhead ext-thresholds-latency
ext-thresholds-acceleration ext-thresholds-index ext-breaks-gains
ext-cutoffs-closed-overhead-constant ext-cutoffs-closed-latency-constant
ext-cutoffs-closed-index-constant ext-cutoffs-closed-acceleration-constant
ext-cutoffs-closed-overhead-never ext-cutoffs-closed-latency-constant-never
ext-cutoffs-closed-ultrasparc-t2-aes
ext-cutoffs-closed-overhead-linear ext-cutoffs-closed-latency-linear
ext-cutoffs-closed-index-linear ext-cutoffs-closed-acceleration-linear
ext-cutoffs-closed-linear-else
ext-cutoff-geometry-mirror ext-cutoff-geometry-ratio
ext-bottleneck-cover-some ext-bottleneck-cover-index-or-acceleration
ext-bottleneck-cover-index ext-bottleneck-cover-labels ext-bottleneck-cover-index-alone
ext-cutoffs-closed-overhead ext-cutoffs-closed-acceleration
ext-cutoffs-closed-acceleration-sublinear ext-cutoffs-closed-acceleration-never
ext-cutoffs-closed-index ext-cutoffs-closed-index-sublinear ext-cutoffs-closed-index-always
ext-cutoffs-closed-latency-up-to ext-cutoffs-closed-latency-outside
ext-cutoffs-closed-latency-two ext-cutoffs-closed-latency-always
ext-cutoffs-closed-latency-from ext-cutoffs-closed-latency-between
ext-cutoffs-closed-latency-from-two
ext-cutoffs-closed-latency-never
""",
    ),
    Reading(
        modules=("gpu_bounds.units", "gpu_bounds.together"),
        prefix="ext-bounds-",
        proved="""
rates frequency lanes multiprocessors counts pipes-counts pipes-rare partial-lines latency
latency-warp latency-exposed miss-latency share access
each slowest apart equal-units within-units longer faster-clock faster-clock-alone never-zero
instructions-take-time dominant dominant-l2 dominant-instructions sharpness sharpness-instances
sharpness-endless
""",
    ),
)

EXPECTED: dict[str, str] = {
    name: verdict for reading in READINGS for name, verdict in reading.verdicts()
}
"""Verdicts by the claims' ids."""

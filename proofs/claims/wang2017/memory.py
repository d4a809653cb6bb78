"""Statements of CGPredict on memory accesses and its cache: section 3.3, eqs 1 to 11, 24 and 25."""

from logca.proofs.claims.claim import Claim, Correction
from logca.proofs.claims.wang2017.printed import table3

__all__ = ["CLAIMS"]

_KINDS = ("coalesced", "uncoalesced", "constant")
_LEAST_LATENCY, _GREATEST_LATENCY, _LEAST_DELAY, _GREATEST_DELAY = (
    f"{end}({end}({what}_coalesced, {what}_uncoalesced), {what}_constant)"
    for what in ("latency", "delay")
    for end in ("min", "max")
)

_TABLE3 = table3("latency_L2", "latency_dram", "delay_L2", "delay_dram")

_ACCESSES: tuple[Claim, ...] = (
    Claim(
        id="wang2017-sec3.3.3-transactions",
        source="wang2017, §3.3.2, §3.3.3 and Tables 1 and 3",
        statement="A coalesced access of a warp takes two L2 transactions, an uncoalesced one 32, "
        "a constant one 1; by Eqs. 1 and 4 they last 166, 226 and 164 cycles if they hit.",
        asserts=(
            "32*4/64 == 2",
            f"access_latency_L2({_TABLE3}, transactions=2, dram_transactions=0) == 166",
            f"access_latency_L2({_TABLE3}, transactions=32, dram_transactions=0) == 226",
            f"constant_access_latency({_TABLE3}, dram_transactions=0) == 164",
        ),
        argument="32 threads with elements of 4 B, lines of 64 B. The transactions of Table 3.",
    ),
    Claim(
        id="wang2017-eq1",
        source="wang2017, §3.3.3, Eq. 1",
        statement="With at most one DRAM transaction the latency of a coalesced or uncoalesced "
        "access is that of L2 and a departure delay for each L2 transaction but the first.",
        given=("dram_transactions <= 1",),
        asserts=(
            "access_latency == latency_L2 + (transactions - 1)*delay_L2",
            "access_latency == access_latency_L2",
        ),
    ),
    Claim(
        id="wang2017-eq1-miss",
        source="wang2017, §3.3.3, Eq. 1",
        statement="The latency tells an access that goes to the DRAM from one that does not.",
        given=("latency_dram > 0",),
        asserts=("access_latency(dram_transactions=1) > access_latency(dram_transactions=0)",),
        corrected=Correction(
            statement="By Eq. 1 an access with one DRAM transaction takes as long as one without; "
            "only a constant one, by Eq. 4, takes longer by the latency of the DRAM.",
            asserts=(
                "access_latency(dram_transactions=1) == access_latency(dram_transactions=0)",
                "constant_access_latency(dram_transactions=1)"
                " == constant_access_latency(dram_transactions=0) + latency_dram",
            ),
        ),
        argument="The text has the access time determined by the transactions to L2 and by those "
        "to the DRAM.",
    ),
    Claim(
        id="wang2017-eq2",
        source="wang2017, §3.3.3, Eq. 2",
        statement="With more than one DRAM transaction the latency is that of L2 and DRAM and a "
        "departure delay for each DRAM transaction but the first.",
        given=("dram_transactions > 1",),
        asserts=(
            "access_latency == latency_L2 + latency_dram + (dram_transactions - 1)*delay_dram",
            "access_latency == access_latency_dram",
        ),
    ),
    Claim(
        id="wang2017-eq2-longer",
        source="wang2017, §3.3.3, Eqs. 1 and 2",
        statement="More DRAM transactions never make an access shorter.",
        asserts=(
            "implies(x < y, access_latency(dram_transactions=x)"
            " <= access_latency(dram_transactions=y))",
        ),
        corrected=Correction(
            statement="They do not, if the latency of the DRAM is at least what the L2 "
            "transactions but the first take to depart, as it is by Table 3; at one DRAM "
            "transaction the latency jumps by the difference.",
            given=("(transactions - 1)*delay_L2 <= latency_dram",),
            asserts=(
                "implies(x < y, access_latency(dram_transactions=x)"
                " <= access_latency(dram_transactions=y))",
                "access_latency(dram_transactions=1 + x) - access_latency(dram_transactions=1)"
                " == latency_dram - (transactions - 1)*delay_L2 + x*delay_dram",
                f"access_latency({_TABLE3}, transactions=32, dram_transactions=1)"
                f" <= access_latency({_TABLE3}, transactions=32, dram_transactions=2)",
            ),
        ),
        argument="Where Eq. 2 takes over it drops the L2 transactions of Eq. 1. x: what the DRAM "
        "transactions exceed one by.",
    ),
    Claim(
        id="wang2017-sec3.3.4-mean",
        source="wang2017, §3.3.4 with Eqs. 1 and 2",
        statement="The mean latency of the accesses of a class follows from their mean number of "
        "DRAM transactions.",
        asserts=(
            "(access_latency(dram_transactions=0) + access_latency(dram_transactions=2))/2"
            " == access_latency(dram_transactions=1)",
        ),
        corrected=Correction(
            statement="It follows from that and the share of accesses that have any; if half of "
            "them have two, the mean number gives too little by half of both DRAM latency and "
            "delay, less half of the delays to L2.",
            asserts=(
                "(access_latency(dram_transactions=0) + access_latency(dram_transactions=2))/2"
                " == access_latency_mean(share_dram=1/2, dram_transactions=1,"
                " transactions_hit=transactions)",
                "access_latency_mean(share_dram=1/2, dram_transactions=1,"
                " transactions_hit=transactions) - access_latency(dram_transactions=1)"
                " == (latency_dram + delay_dram - (transactions - 1)*delay_L2)/2",
            ),
        ),
        argument="The paper averages transactions over the instructions of a class and then "
        "applies Eq. 1 or 2, whose cases do not commute with a mean.",
    ),
    Claim(
        id="wang2017-eq3",
        source="wang2017, §3.3.3, Eq. 3",
        statement="The departure delay of a coalesced or uncoalesced access is the longer of what "
        "its transactions take to depart to L2 and to the DRAM.",
        asserts=(
            "access_delay == max(transactions*delay_L2, dram_transactions*delay_dram)",
            "iff(access_delay == transactions*delay_L2,"
            " dram_transactions*delay_dram <= transactions*delay_L2)",
            f"access_delay({_TABLE3}, transactions=32, dram_transactions=32) == 320",
        ),
        argument="With Table 3 the delay of no access exceeds the 320 cycles of 32 misses.",
    ),
    Claim(
        id="wang2017-eq4",
        source="wang2017, §3.3.3, Eq. 4",
        statement="A constant access takes the latency of L2, and if it misses that of the DRAM "
        "too; the equation is right for a mean over hits and misses as well.",
        asserts=(
            "constant_access_latency == latency_L2 + dram_transactions*latency_dram",
            "constant_access_latency(dram_transactions=miss_rate)"
            " == (1 - miss_rate)*constant_access_latency(dram_transactions=0)"
            " + miss_rate*constant_access_latency(dram_transactions=1)",
        ),
        argument="It is linear in the transactions, unlike Eqs. 1 and 2: wang2017-sec3.3.4-mean.",
    ),
    Claim(
        id="wang2017-eq5",
        source="wang2017, §3.3.3, Eq. 5",
        statement="The departure delay of a constant access is that of Eq. 3 for its transactions.",
        asserts=("constant_access_delay == access_delay",),
        corrected=Correction(
            statement="Eq. 5 adds what Eq. 3 takes the longer of: it is never less, at most twice "
            "as much, and the same only if there is one kind of transaction.",
            asserts=(
                "constant_access_delay == transactions*delay_L2 + dram_transactions*delay_dram",
                "access_delay <= constant_access_delay",
                "constant_access_delay <= 2*access_delay",
                "iff(constant_access_delay == access_delay,"
                " transactions*delay_L2 == 0 or dram_transactions*delay_dram == 0)",
            ),
        ),
        argument="Eq. 3 defines the delay for coalesced and uncoalesced accesses, of which a "
        "constant one would be that with a single transaction.",
    ),
    Claim(
        id="wang2017-eq6",
        source="wang2017, §3.3.3, Eq. 6",
        statement="The memory cycles are the latencies of all memory instructions, and grow with "
        "each latency and each number of instructions.",
        asserts=(
            "memory_cycles == latency_coalesced*instructions_coalesced"
            " + latency_uncoalesced*instructions_uncoalesced"
            " + latency_constant*instructions_constant",
            *(
                f"memory_cycles({what}_{kind}={what}_{kind} + x) >= memory_cycles"
                for what in ("latency", "instructions")
                for kind in _KINDS
            ),
        ),
    ),
    Claim(
        id="wang2017-eq7",
        source="wang2017, §3.3.3, Eq. 7",
        statement="mem_l is the average latency of a memory instruction across all classes: "
        "between the least and the greatest of the three.",
        asserts=(
            "memory_latency_weighted*memory_instructions == memory_cycles",
            f"{_LEAST_LATENCY} <= memory_latency_weighted",
            f"memory_latency_weighted <= {_GREATEST_LATENCY}",
        ),
        given=("memory_instructions > 0",),
        argument="With no_mem_insts as the sum of the classes.",
    ),
    Claim(
        id="wang2017-eq8",
        source="wang2017, §3.3.3, Eq. 8",
        statement="The departure delay is the average over all classes: between the least and the "
        "greatest of the three.",
        asserts=(
            "departure_delay*memory_instructions == delay_coalesced*instructions_coalesced"
            " + delay_uncoalesced*instructions_uncoalesced"
            " + delay_constant*instructions_constant",
            f"{_LEAST_DELAY} <= departure_delay",
            f"departure_delay <= {_GREATEST_DELAY}",
        ),
        given=("memory_instructions > 0",),
        argument="With no_mem_insts as the sum of the classes.",
    ),
)

_CACHE: tuple[Claim, ...] = (
    Claim(
        id="wang2017-sec3.3.4-size",
        source="wang2017, §3.3.4 with Table 1",
        statement="The size of a cache is sets times ways times the size of a line; L2 has 2048 "
        "lines.",
        given=("sets == cache_sets",),
        asserts=(
            "sets*associativity*cache_line == cache_size",
            "cache_sets(cache_size=131072, cache_line=64)*associativity == 2048",
        ),
        argument="The number of ways is not printed.",
    ),
    Claim(
        id="wang2017-sec3.3.4-hit",
        source="wang2017, §3.3.4, before Eq. 9",
        statement="A reference hits if, and only if, fewer other blocks of its set than there are "
        "ways were referenced since the last reference to its block.",
        asserts=("iff(hit == 1, conflict_set_size < associativity)",),
        corrected=Correction(
            statement="If, and only if, it is not the first one to its block besides, as Eq. 9 has "
            "it.",
            asserts=(
                "iff(hit == 1, conflict_set_size < associativity and reference > 1)",
                "hit == 0 or hit == 1",
                "hit(reference=1) == 0",
                "block_hits(references=1) == 0",
            ),
        ),
        argument="The text leaves the first reference out by where it defines the conflict set, "
        "whose size is then that of all blocks before; Eq. 9 says it.",
    ),
    Claim(
        id="wang2017-eq9-ways",
        source="wang2017, §3.3.4, Eq. 9",
        statement="With the same sets, more ways never turn a hit into a miss, nor does a smaller "
        "conflict set.",
        asserts=(
            "hit(associativity=associativity + x) >= hit",
            "implies(x < y, hit(conflict_set_size=x) >= hit(conflict_set_size=y))",
        ),
        argument="So no sum of hits, Eqs. 9 to 11, falls either: an LRU cache has no anomaly.",
    ),
    Claim(
        id="wang2017-eq24",
        source="wang2017, §4.2, Eq. 24 with Eq. 4",
        statement="The baseline's latency is that of Eq. 4 for its miss rate.",
        given=("miss_rate <= 1",),
        asserts=("simple_access_latency == constant_access_latency(dram_transactions=miss_rate)",),
        corrected=Correction(
            statement="It is less by the miss rate times the latency of L2, which a miss does not "
            "pay in Eq. 24; it lies between the two latencies.",
            given=("miss_rate <= 1",),
            asserts=(
                "simple_access_latency"
                " == constant_access_latency(dram_transactions=miss_rate) - miss_rate*latency_L2",
                "simple_access_latency == latency_L2*(1 - miss_rate) + latency_dram*miss_rate",
                "min(latency_L2, latency_dram) <= simple_access_latency",
                "simple_access_latency <= max(latency_L2, latency_dram)",
            ),
        ),
        argument="The paper has the baseline differ from CGPredict in its modelling of cache and "
        "DRAM, with the same architectural parameters; a single transaction that misses takes 496 "
        "cycles by Eq. 4, and 332 by Eq. 24.",
    ),
    Claim(
        id="wang2017-eq25",
        source="wang2017, §4.2, Eq. 25 with Eq. 5",
        statement="The baseline's departure delay is that of Eq. 5 for one transaction and its "
        "miss rate.",
        given=("miss_rate <= 1",),
        asserts=(
            "simple_access_delay"
            " == constant_access_delay(transactions=1, dram_transactions=miss_rate)",
        ),
        corrected=Correction(
            statement="It is less by the miss rate times the delay of L2, and so lies between the "
            "two delays, however many transactions an access takes.",
            given=("miss_rate <= 1",),
            asserts=(
                "simple_access_delay"
                " == constant_access_delay(transactions=1, dram_transactions=miss_rate)"
                " - miss_rate*delay_L2",
                "min(delay_L2, delay_dram) <= simple_access_delay",
                "simple_access_delay <= max(delay_L2, delay_dram)",
            ),
        ),
        argument="With Table 3 at most 10 cycles, where Eq. 3 has 64 for an uncoalesced access "
        "that hits.",
    ),
)

CLAIMS: tuple[Claim, ...] = (*_ACCESSES, *_CACHE)

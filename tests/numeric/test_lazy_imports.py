"""What a user of the numbers has to wait for: no algebra, no compiler, no other array library."""

import subprocess
import sys

import pytest

HEAVY = ("sympy", "mpmath", "numba", "jax", "dask", "rich", "typer", "logca.derive", "logca.proofs")

SNIPPETS = {
    "import": "import logca.numeric",
    "speedup": "from logca import numeric; numeric.speedup(1, o=1, L=1, C=1, A=2, beta=1)",
    "evaluate": "from logca import numeric; "
    "numeric.evaluate('share_o', g=1, o=1, L=1, C=1, A=2, beta=1)",
    "roots": "from logca.numeric.roots.granularity import granularity_for; "
    "granularity_for(1, o=1, L=1, C=9, A=2, beta=.5, latency='linear')",
    "accelerator": "from logca import Accelerator; a = Accelerator(o=1, L=1, C=1, A=2); "
    "a.break_even(); a.regions(); a.explain(1); a.window(1, 2); a.peak(); a._repr_latex_()",
    "device": "import logca; logca.device('apu', 'fft').half_peak()",
    "all functions": "from logca import numeric; [getattr(numeric, n) for n in dir(numeric)]",
}


@pytest.mark.parametrize("snippet", SNIPPETS.values(), ids=SNIPPETS)
def test_nothing_heavy_is_imported(snippet: str) -> None:
    report = f"import sys; {snippet}; print([m for m in {HEAVY} if m in sys.modules])"
    command = [sys.executable, "-W", "error", "-c", report]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_scipy_is_for_logarithmic_kernels_only() -> None:
    before = "import logca.numeric.roots.logarithmic, sys; print('scipy.special' in sys.modules)"
    command = [sys.executable, "-c", before]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"

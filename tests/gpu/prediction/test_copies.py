"""Copies between host and GPU, of programs whose bytes are known."""

from pathlib import Path
from typing import Any

import pytest

from logca import gpu

pytest.importorskip("numba")
pytest.importorskip("llvmlite")

POLYBENCH = Path(__file__).parents[3] / "examples" / "polybench"
GPU = "rtx-3080"
CHAIN = """
#define N 4096
float a[N], b[N], c[N], table[2 * N];
int main(void)
{
#pragma logca offload
    for (int i = 0; i < N; i++)
        b[i] = 2 * a[i] + table[2 * i];
#pragma logca offload
    for (int i = 0; i < N; i++)
        c[i] = b[i] + a[i];
#pragma logca offload
    for (int i = 0; i < N / 2; i++)
        table[2 * i] = c[i];
    return 0;
}
"""


GATHER = """
#include <stdlib.h>
static int x[N];
static float d[N];
int main(void)
{
    double *a = malloc((N + 3) * sizeof(double)), *c = malloc(N * sizeof(double));
    for (int i = 0; i < N; i++)
        x[i] = (int)((i * 7919L) % (N + 3));
    for (int i = 0; i < N + 3; i++)
        a[i] = i;
#pragma logca offload
    for (int i = 0; i < N; i++)
        c[i] = a[x[i]];
#pragma logca offload
    for (int i = 1; i < N; i++)
        d[i] = i;
    free(a);
    free(c);
    return 0;
}
"""


def copied(source: Path, **sizes: Any) -> dict[str, tuple[float, float]]:
    found = gpu.predict(source, device=GPU, **sizes).copies
    assert found is not None
    return {each.name: (each.to_gpu, each.to_host) for each in found.arrays}


def test_what_kernels_hand_on_stays_on_the_gpu(tmp_path: Path) -> None:
    """What one writes whole is not copied there; what lies between elements that are is."""
    path = tmp_path / "chain.c"
    path.write_text(CHAIN)
    vector = 4.0 * 4096
    table = 2 * vector - 4  # from the first to the last element that is reached
    found = copied(path)
    assert found["a"] == (vector, 0)
    assert found["b"] == found["c"] == (0, vector)
    assert found["table"][0] == pytest.approx(table, abs=32)
    assert found["table"][1] == pytest.approx(vector, abs=32)


@pytest.mark.parametrize("size", [1001, 4096, 5003])
def test_bytes_are_those_of_the_arrays_to_the_last_one(size: int, tmp_path: Path) -> None:
    """Arrays that end within a sector: of a gather as `sizeof` has them, else what is reached."""
    path = tmp_path / "gather.c"
    path.write_text(GATHER)
    found = copied(path, defines={"N": size})
    assert found == {
        "x": (4 * size, 0),
        "a": (8 * (size + 3), 0),
        "c": (0, 8 * size),
        "d": (0, 4 * (size - 1)),
    }


def test_bytes_of_affine_accesses_go_from_the_first_to_the_last(tmp_path: Path) -> None:
    path = tmp_path / "gather.c"
    path.write_text(GATHER.replace("a[x[i]]", "a[i + 1]"))
    sizes = {"defines": {"N": 64}, "work": {"N": 5003}}
    found = copied(path, **sizes)
    assert found == {"a": (8 * 5003, 0), "c": (0, 8 * 5003), "d": (0, 4 * 5002)}


def test_arrays_of_many_launches_are_copied_whole(tmp_path: Path) -> None:
    path = tmp_path / "planes.c"
    path.write_text(
        """
        static float a[40][256], b[40][256];
        static void plane(int i) {
        #pragma logca offload
            for (int j = 0; j < 256; j++) b[i][j] = 2 * a[i][j];
        }
        int main(int argc, char **argv) {
            for (int i = 0; i < 40; i++) plane(i);
            return b[argc][1] > 1;
        }
        """
    )
    found = copied(path)
    assert found["a"] == (4 * 40 * 256, 0)
    assert found["b"][1] == 4 * 40 * 256


def test_what_is_written_in_part_is_copied_there_too(tmp_path: Path) -> None:
    path = tmp_path / "part.c"
    path.write_text(
        """
        static float a[4096];
        int main(int argc, char **argv) {
        #pragma logca offload
            for (int i = 0; i < 4096; i += 2) a[i] = i;
            return a[argc] > 1;
        }
        """
    )
    reached = 4 * 4095  # the last element is not
    assert copied(path) == {"a": (reached, reached)}


def test_launches_in_turn_copy_what_they_do_from_a_smaller_size(tmp_path: Path) -> None:
    path = tmp_path / "two.c"
    path.write_text(
        """
        static float a[N], b[N];
        int main(int argc, char **argv) {
            a[argc] = 1;
            for (int t = 0; t < 10; t++) {
        #pragma logca offload
                for (int i = 1; i < N - 1; i++) b[i] = a[i - 1] + a[i + 1];
        #pragma logca offload
                for (int i = 1; i < N - 1; i++) a[i] = b[i];
            }
            return a[argc] > 1;
        }
        """
    )
    expected = {"a": (4 * 3000, 4 * 2998), "b": (0, 4 * 2998)}
    assert copied(path, defines={"N": 3000}) == expected
    assert copied(path, defines={"N": 300}, work={"N": 3000}) == expected


def test_the_time_is_a_latency_a_copy_and_the_bytes_over_the_link() -> None:
    size = 4 * 1024.0**2
    sizes = {"defines": {"N": 64}, "work": {"N": 1024}}
    assert copied(POLYBENCH / "syrk.c", **sizes) == {"C": (size, size), "A": (size, 0)}
    found = gpu.predict(POLYBENCH / "syrk.c", device=GPU, **sizes)
    rates = gpu.device(GPU).rates
    assert found.copies is not None
    assert rates is not None
    assert rates.link_bandwidth is not None
    assert rates.link_latency is not None
    assert (found.copies.to_gpu, found.copies.to_host) == (2 * size, size)
    by_hand = 3 * rates.link_latency + 3 * size / rates.link_bandwidth
    assert found.copies.time_s == pytest.approx(by_hand, rel=1e-12)
    assert found.time_s == sum(kernel.time_s for kernel in found.kernels)


def test_the_models_of_wang2017_have_no_copies() -> None:
    found = gpu.predict(POLYBENCH / "mvt.c", device="jetson-tk1", defines={"N": 32}, work={})
    assert found.copies is None


SWAPPED = """
#include <stdlib.h>
int main(void)
{
    double *a = {memory}, *b = {memory};
    for (int i = 0; i < N; i++) a[i] = b[i] = i;
    for (int t = 0; t < 9; t++) {
#pragma logca offload
        for (int i = 1; i < N - 1; i++) b[i] = a[i - 1] + a[i + 1];
        double *other = a; a = b; b = other;
    }
    return a[N / 2] > 1;
}
"""


@pytest.mark.parametrize("memory", ["malloc(N * sizeof *a)", "malloc(sizeof *a * atoi(VALUE))"])
def test_buffers_that_are_swapped_are_two_arrays(memory: str, tmp_path: Path) -> None:
    path = tmp_path / "swapped.c"
    path.write_text(SWAPPED.replace("{memory}", memory).replace("VALUE", '"40000"'))
    found = copied(path, defines={"N": 40000})
    sizes = [size for pair in found.values() for size in pair]
    assert set(found) == {"a", "b"}
    # each goes there and comes back, but for ends that no iteration reaches
    assert all(8 * 39998 <= size <= 8 * 40000 for size in sizes)

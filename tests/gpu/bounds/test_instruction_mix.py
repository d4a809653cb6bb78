"""Instructions as GPU compilers emit them: LLVM's NVPTX backend and nvcc's code are the oracles."""

import re
from collections import Counter
from pathlib import Path

import pytest

from logca.gpu.bounds.instruction_mix import InstructionMix, instruction_mix
from logca.gpu.bounds.kernel_code import UNROLLED
from logca.trace.compile.driver import Compiled, compile_program

TRIPS = 4096


def compiled_text(folder: Path, body: str, parameters: str = "int n") -> Compiled:
    """A program whose function `kernel` has this body; arrays are global, or parameters."""
    arguments = {"int n": "argc * 4096"}.get(parameters, "argc * 4096, A, B, C, x, y")
    source = folder / "kernel.c"
    source.write_text(
        "float A[1 << 20], B[1 << 20], C[1 << 20], x[4096], y[4096]; int idx[4096];\n"
        "unsigned U[1 << 20], V[1 << 20], W[1 << 20]; double d[4096];\n"
        "float expf(float); float sqrtf(float);\n"
        f"void kernel({parameters}) {{\n{body}\n}}\n"
        f"int main(int argc, char **argv) {{ kernel({arguments}); return C[argc] > y[argc]; }}\n"
    )
    return compile_program(source)


def mix(compiled: Compiled, threads: int, shares: dict[int, float] | None = None) -> InstructionMix:
    """What a thread executes if all loops inside have as many trips; `shares` by line."""
    program = compiled.program
    loops = [loop.id for loop in program.loops][:threads]
    times = {}
    for block in program.blocks:
        around = program.chain_of(block.loop)
        if loops[0] not in around:
            continue
        inner = [loop for loop in around if loop not in loops]
        often = float(TRIPS ** len(inner))
        if inner and block.id == program.loops[inner[-1]].header and block.successors[1:]:
            often += often / TRIPS
        times[block.id] = often * (shares or {}).get(block.first_line, 1.0)
    return instruction_mix(compiled.ir, program, loops, times)


PRODUCT = """for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
  float s = 0; for (int k = 0; k < 4096; k++) s += A[i * 256 + k] * B[k * 256 + j];
  C[i * 256 + j] = s; }"""
UPDATE = """for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
  for (int k = 0; k < 4096; k++) C[i * 256 + j] += 3 * A[i * 256 + k] * B[j * 256 + k]; }"""
STENCIL = """for (int i = 0; i < n; i++)
  for (int k = 1; k < 4097; k++) C[i * 256 + k] = A[i * 256 + k - 1]
    + A[i * 256 + k + 1] * x[k]; """
GATHER = """for (int i = 0; i < n; i++) {
  float s = 0; for (int k = 0; k < 4096; k++) s += A[idx[k]] * x[k];
  y[i] = s; }"""


def ptx_of(compiled: Compiled) -> list[Counter[str]]:
    """Operations of each innermost loop in the code of LLVM's backend for PTX; none without it."""
    binding = pytest.importorskip("llvmlite.binding")
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    try:
        target = binding.Target.from_triple("nvptx64-nvidia-cuda")
    except RuntimeError:
        pytest.skip("this LLVM has no target NVPTX")
    text = re.sub(r"^\s+#dbg_.*\n|^target .*\n", "", compiled.ir, flags=re.MULTILINE)
    text = re.sub(r",? !dbg !\d+|\"(?:target|tune)-\w+\"=\"[^\"]*\"", "", text)
    text = re.sub(r" = (fmul|fadd|fsub) float", r" = \1 contract float", text)
    module = binding.parse_assembly('target triple = "nvptx64-nvidia-cuda"\n' + text)
    machine = target.create_target_machine(cpu="sm_80", opt=3)
    module.data_layout = str(machine.target_data)
    options = binding.create_pipeline_tuning_options(speed_level=2)
    options.loop_unrolling = options.loop_vectorization = options.slp_vectorization = False
    builder = binding.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    code = machine.emit_assembly(module).split(".section")[0]
    found = []
    for body in re.split(r"^(?=\$L__BB)", code, flags=re.MULTILINE):
        label = body.split(":")[0]
        back = re.search(rf"bra(?:\.uni)?\s+\{label};", body)
        if back:
            body = body[: back.end()]
            words = re.findall(r"^\t(?:@!?%p\d+ )?([a-z]+)\.?([\w.]*)", body, re.MULTILINE)
            found.append(Counter(f"{op}.{kind.split('.')[0]}" for op, kind in words))
    return found


@pytest.mark.parametrize("body", [PRODUCT, UPDATE, STENCIL, GATHER])
def test_inner_loops_have_what_the_backend_for_ptx_makes_of_them(tmp_path: Path, body: str) -> None:
    compiled = compiled_text(tmp_path, body)
    found = mix(compiled, 1 if "j" not in body else 2)
    (ptx,) = [loop for loop in ptx_of(compiled) if loop["ld.global"]]
    each = {kind: getattr(found, kind) / TRIPS for kind in ("loads", "stores", "fp32", "integer")}
    assert round(each["loads"], 1) == ptx["ld.global"]
    assert round(each["stores"], 1) == ptx["st.global"]
    assert round(each["fp32"], 1) == ptx["fma.rn"] + ptx["mul.f32"] + ptx["add.f32"]
    # a step of each stream, the counter and its comparison are made once for iterations that are
    # unrolled; what only one iteration's address has is not
    own = ptx["mul.wide"]
    steps = ptx["add.s64"] - own + ptx["add.s32"] + ptx["setp.ne"] + ptx["setp.eq"]
    assert each["integer"] == pytest.approx(steps / UNROLLED + own, abs=0.51)


# per iteration of the innermost loop: loads, stores, FP32, integer, in the code of nvcc 13.5 for
# sm_86, read from the disassembly of its unrolled loop
POINTERS = "int n, float *a, float *b, float *c, float *p, float *q"
NVCC = {
    "product": (
        """for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
  float s = 0; for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
  c[i * n + j] = s; }""",
        (2, 0, 1, 1.4),
    ),
    "gemm": (
        """for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
  c[i * n + j] *= 3.f;
  for (int k = 0; k < n; k++) c[i * n + j] += 1.5f * a[i * n + k] * b[k * n + j]; }""",
        (2, 1, 2, 1.5),
    ),
    "syr2k": (
        """for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
  c[i * n + j] *= 3.f;
  for (int k = 0; k < n; k++) c[i * n + j] += 1.5f * a[i * n + k] * b[j * n + k]
    + 1.5f * b[i * n + k] * a[j * n + k]; }""",
        (4, 1, 5, 2.75),
    ),
    "gesummv": (
        """for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
    c[i] += a[i * n + j] * p[j]; q[i] += b[i * n + j] * p[j]; }""",
        (6, 2, 2, 3.75),
    ),
    "atax": (
        """for (int j = 0; j < n; j++) { q[j] = 0;
  for (int i = 0; i < n; i++) q[j] += a[i * n + j] * p[i]; }""",
        (2, 1, 1, 1.44),
    ),
}


@pytest.mark.parametrize("name", NVCC)
def test_inner_loops_have_what_nvcc_makes_of_them(tmp_path: Path, name: str) -> None:
    body, (loads, stores, fp32, integer) = NVCC[name]
    found = mix(
        compiled_text(tmp_path, body, POINTERS), 2 if name[0] in "ps" or name == "gemm" else 1
    )
    assert round(found.loads / TRIPS, 2) == loads
    assert round(found.stores / TRIPS, 2) == stores
    assert round(found.fp32 / TRIPS, 2) == fp32
    every = loads + stores + fp32 + integer
    mine = found.loads + found.stores + found.fp32 + found.integer
    assert mine / TRIPS == pytest.approx(every, rel=0.25)


def test_arrays_without_pointers_need_one_store_of_a_sum(tmp_path: Path) -> None:
    found = mix(compiled_text(tmp_path, UPDATE), 2)
    assert (found.stores, found.loads) == (1, 2 * TRIPS + 1)
    assert not found.ordered
    assert len(found.outside) == 2  # the load before the loop, and the store behind it


def test_pointers_may_lead_to_the_same_array_unless_they_are_restricted(tmp_path: Path) -> None:
    body = NVCC["gemm"][0]
    plain = mix(compiled_text(tmp_path, body, POINTERS), 2)
    bound = mix(compiled_text(tmp_path, body, POINTERS.replace("*", "*restrict ")), 2)
    assert plain.stores == TRIPS + 1
    assert len(plain.ordered) == 1
    assert bound.stores <= 2
    assert not bound.ordered


def test_lanes_that_alternate_execute_both_ways(tmp_path: Path) -> None:
    body = """for (int i = 0; i < n; i++) {
if (i % 2) {
y[i] = x[i] * 2 + 1;
}
}"""
    compiled = compiled_text(tmp_path, body)
    line = next(
        number
        for number, text in enumerate((tmp_path / "kernel.c").read_text().splitlines(), 1)
        if text.startswith("y[i]")
    )
    found = mix(compiled, 1, {line: 0.5})
    assert found.stores == 1
    assert found.fp32 == 1


def test_sequences_go_to_their_pipes(tmp_path: Path) -> None:
    body = """for (int i = 0; i < n; i++) {
 y[i] = expf(x[i]) / y[i]; d[i] = d[i] * 3 + x[i]; U[i] = V[i] / W[i]; }"""
    found = mix(compiled_text(tmp_path, body), 1)
    assert found.special == 1 + 2 + 1
    assert found.fp32 == 6 + 5
    assert found.fp64 == 1 + 1  # the product with its sum, and the conversion of x[i]
    assert found.conversions == 2


def test_what_no_iteration_changes_is_computed_once(tmp_path: Path) -> None:
    body = """for (int i = 0; i < n; i++) { float s = 0;
  for (int k = 0; k < 4096; k++) s += x[k] * sqrtf(y[i]); A[i] = s; }"""
    found = mix(compiled_text(tmp_path, body), 1)
    assert found.special == 1
    assert found.loads == TRIPS + 1


def test_where_a_store_goes_may_depend_on_what_is_loaded(tmp_path: Path) -> None:
    body = """for (int i = 0; i < n; i++)
  for (int k = idx[i]; k < idx[i + 1]; k++) { int to = idx[k]; if (!idx[to]) idx[to] = idx[i]; }"""
    found = mix(compiled_text(tmp_path, body), 1)
    assert found.loads >= 3 * TRIPS
    assert found.stores == TRIPS

"""`logca explorer`, as a user meets it."""

from collections.abc import Callable
from pathlib import Path

from synthetic_timings import NEVER, TWICE, Truth

from logca.numeric.fit.fit import Fit
from logca.show.fit.words import answer

Run = Callable[..., tuple[int, str, str]]
OWN = ("--o", "20000", "--L", "2.5", "--C", "90", "--A", "12", "--latency", "linear")


def test_it_writes_one_file_and_replaces_none_unasked(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.html"
    code, out, err = run("explorer", "-o", str(file), *OWN)
    assert (code, out) == (0, "")
    assert err.startswith(f"{file}: ")
    page = file.read_text(encoding="utf-8")
    assert '"o": 20000.0, "L": 2.5, "C": 90.0, "A": 12.0' in page
    assert "UltraSPARC T2 AES" in page  # one of the devices to compare with
    code, _, err = run("explorer", "-o", str(file), *OWN)
    assert (code, err.count("\n")) == (2, 1)
    assert "--force" in err
    assert run("explorer", "-o", str(file), *OWN, "--force")[0] == 0


def test_a_fit_comes_with_its_measured_points(
    run: Run, fits: Callable[[Truth], Fit], tmp_path: Path
) -> None:
    saved, file = tmp_path / "fit.json", tmp_path / "fit.html"
    fits(TWICE).save(saved)
    assert run("explorer", "-o", str(file), "--fit", str(saved))[0] == 0
    page = file.read_text(encoding="utf-8")
    assert '"name": "fit.json", "latency": "linear", "unit": "seconds"' in page
    assert f'"answer": "{answer(fits(TWICE))}"' in page


def test_parameters_beside_a_fit_replace_its_own(
    run: Run, fits: Callable[[Truth], Fit], tmp_path: Path
) -> None:
    saved, file = tmp_path / "fit.json", tmp_path / "fit.html"
    fits(TWICE).save(saved)
    assert run("explorer", "-o", str(file), "--fit", str(saved), "--A", "77")[0] == 0
    page = file.read_text(encoding="utf-8")
    assert '"name": "fit.json with A = 77", "latency": "linear", "unit": "seconds"' in page
    assert '"A": 77.0' in page
    assert '"fit": null' in page


def test_what_is_no_accelerator_is_told(
    run: Run, fits: Callable[[Truth], Fit], tmp_path: Path
) -> None:
    saved, file = tmp_path / "fit.json", tmp_path / "fit.html"
    fits(NEVER).save(saved)
    code, out, err = run("explorer", "-o", str(file), "--fit", str(saved))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "no accelerator" in err
    assert not file.exists()


def test_devices_of_a_file_can_be_chosen(run: Run, tmp_path: Path) -> None:
    mine, file = tmp_path / "mine.toml", tmp_path / "mine.html"
    mine.write_text(
        "devices.fpga = {title = 'FPGA', latency = 'linear', L = 2, o = 9, A = 8, kernels.aes ="
        " {C = 90}, kernels.sha = {C = 80}}",
        encoding="utf-8",
    )
    assert run("explorer", "-o", str(file), "--device-file", str(mine), "--A", "9")[0] == 0
    page = file.read_text(encoding="utf-8")
    assert page.count('"group": "FPGA"') == 2
    assert '"start": {"name": "FPGA ' in page
    assert '"o": 9.0, "L": 2.0, "C": 90.0, "A": 9.0' in page

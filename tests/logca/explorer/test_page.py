"""The explorer's page: its numbers are Python's, and a browser's mouse and keys move it."""

import base64
import csv
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from synthetic_timings import TWICE, Truth

from logca.common.sizes import format_size, parse_size
from logca.explorer.page import QUANTITIES, _model, explorer_html
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.parameter_ranges import LATENCIES, MODEL
from logca.numeric.evaluation.by_name import evaluate, parameters_of
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.generate.languages.registry import source
from logca.numeric.paper.devices import load_devices
from logca.numeric.roots.granularity import granularity_for
from logca.numeric.roots.status import RootStatus
from logca.numeric.timings.timings import Timings

Show = Callable[..., Any]
Settle = Callable[[Any], None]
Table = dict[str, np.ndarray]

POINTS = 10_000
PRECISE = 1e-12
RADIX = "#o=4e8&L=15&C=290&A=7&beta=0.94&latency=linear&name=radix"


class Reading(HTMLParser):
    """Ids and addresses of a page."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            self.ids += [value or ""] if name == "id" else []
            self.addresses += [value or ""] if name in ("src", "href", "srcset", "action") else []


def test_the_page_is_one_file_that_runs_what_codegen_emits(page: str) -> None:
    found = Reading(page)
    assert len(set(found.ids)) == len(found.ids) > 15
    assert set(found.addresses) == {"data:,", "#"}
    assert "default-src 'none'" in page
    assert "font-src data:" in page
    assert source("javascript", QUANTITIES) in page
    assert "{{" not in page.partition("<script")[0]


def test_a_name_cannot_end_the_script(aes: Accelerator) -> None:
    page = explorer_html(replace(aes, name="</script><b>"), ())
    assert "</script><b>" not in page
    assert page.count("</script>") == 2


def drawn(latency: str) -> Table:
    """Random parameters over many decades, some of them at the borders of their domains."""
    draw = np.random.default_rng({"constant": 2017, "linear": 2015}[latency])
    found = {
        "o": 10 ** draw.uniform(0, 9, POINTS),
        "L": 10 ** draw.uniform(-3, 5, POINTS),
        "C": 10 ** draw.uniform(-2, 5, POINTS),
        "A": 1 + 10 ** draw.uniform(-2, 3, POINTS),
        "beta": draw.choice([1.0, 0.5, 2.0, np.nan], POINTS, p=[0.2, 0.05, 0.05, 0.7]),
        "g": 10 ** draw.uniform(0, 12, POINTS),
    }
    found["beta"] = np.where(np.isnan(found["beta"]), draw.uniform(0.1, 3, POINTS), found["beta"])
    for name, share in (("o", 0.03), ("L", 0.05)):
        found[name][draw.random(POINTS) < share] = 0.0
    found["s"] = found["A"] ** draw.uniform(0.01, 0.99, POINTS)
    return found


def computed(driver: Any, latency: str, names: list[str], table: Table) -> Table:
    """What the page's functions give, exactly, for each row of a table."""
    packed = {
        name: base64.b64encode(np.ascontiguousarray(column, dtype="<f8").tobytes()).decode()
        for name, column in table.items()
    }
    text = driver.execute_script(
        """
        const [latency, names, packed] = arguments;
        const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const table = Object.entries(packed).map(
          ([name, text]) => [name, new Float64Array(bytes(text).buffer)]);
        const rows = table[0][1].length, found = new Float64Array(rows * names.length);
        for (let row = 0; row < rows; row += 1) {
          const at = { r: 10, q: 1.2 };
          for (const [name, column] of table) at[name] = column[row];
          names.forEach((name, place) => {
            found[place * rows + row] = logca.model[latency][name](at);
          });
        }
        const letters = [], raw = new Uint8Array(found.buffer);
        for (let k = 0; k < raw.length; k += 8192)
          letters.push(String.fromCharCode(...raw.subarray(k, k + 8192)));
        return btoa(letters.join(""));
        """,
        latency,
        names,
        packed,
    )
    columns = np.frombuffer(base64.b64decode(text), dtype="<f8").reshape(len(names), -1)
    return dict(zip(names, columns, strict=True))


def by_python(name: str, latency: str, table: Table) -> np.ndarray:
    at = {**table, "r": 10.0}
    if name.endswith("_for"):
        at["s"] = np.float64(1.0)
    wanted = {each: at[each] for each in parameters_of(name)}
    with np.errstate(all="ignore"):
        return np.broadcast_to(evaluate(name, latency=latency, **wanted), table["g"].shape)


@pytest.mark.parametrize("latency", LATENCIES)
def test_numbers_are_those_of_python(shown: Show, latency: str) -> None:
    table = drawn(latency)
    driver = shown()
    offered = driver.execute_script("return Object.keys(logca.model[arguments[0]])", latency)
    names = [each for each in offered if not each.startswith(("g1", "gA2", "g_s", "cutoff"))]
    found = computed(driver, latency, [n for n in names if not n.endswith("_for")], table)
    inverse = [name for name in names if name.endswith("_for")]
    found |= computed(driver, latency, inverse, table | {"s": np.ones(POINTS)})
    host = table["C"] * table["g"] ** table["beta"]
    for name, values in found.items():
        expected = by_python(name, latency, table)
        # What is left of the host's time for an overhead or a latency is a difference.
        scale = {"o_for": host, "L_for": host / (1 if latency == "constant" else table["g"])}
        # The acceleration for a speedup of one is 1/(1 - x): the difference decides.
        if name == "A_for":
            expected, values = 1 / expected, 1 / values
            scale["A_for"] = np.ones(POINTS)
        allowed = PRECISE * (np.abs(expected) + scale.get(name, 0))
        both = np.isnan(expected) & np.isnan(values)
        unsure = np.isnan(expected) != np.isnan(values)
        if name.endswith("_for"):  # a bound that is zero but for rounding may be there or not
            left = np.where(np.isnan(expected), values, expected)
            both |= unsure & (np.abs(left) <= PRECISE * scale.get(name, 1e12))
        same = both | (np.abs(values - expected) <= allowed) | (values == expected)
        assert same.all(), (name, {key: table[key][~same][0] for key in table})
    assert len(found) >= 17


@pytest.mark.parametrize("latency", LATENCIES)
def test_granularities_are_those_of_python(shown: Show, latency: str) -> None:
    table = drawn(latency)
    model = {name: table[name] for name in MODEL}
    names = ["g1", "g1_upper", "gA2", "gA2_upper", "g_s", "g_s_upper"]
    found = computed(shown(), latency, names, table)
    compared = 0
    for lower, upper in (names[:2], names[2:4], names[4:]):
        target = {"g1": 1.0, "gA2": table["A"] / 2, "g_s": table["s"]}[lower]
        expected = granularity_for(target, **model, latency=latency)
        everyday = ~np.isin(
            expected.status, [RootStatus.OUT_OF_RANGE, RootStatus.UPPER_OUT_OF_RANGE]
        )
        for values, wanted in ((found[lower], expected.lower), (found[upper], expected.upper)):
            cost = table["o"] + (table["L"] * wanted if latency == "linear" else table["L"])
            share = table["L"] * wanted / cost if latency == "linear" else 0.0
            condition = np.maximum(1, 1 / np.abs(table["beta"] - share))
            off = np.abs(values / wanted - 1) / condition
            none = np.isnan(wanted) & (np.isnan(values) | (values == 0) | np.isinf(values))
            # Near a double root rounding decides whether there is one.
            unsure = (condition > 1e6) | (np.isnan(wanted) != np.isnan(values)) & (
                expected.status == RootStatus.DOUBLE
            )
            same = none | (off <= PRECISE) | unsure | ~everyday
            assert same.all(), (lower, {key: table[key][~same][0] for key in table})
            compared += int((off <= PRECISE).sum())
    assert compared > POINTS


def some_accelerators() -> list[Accelerator]:
    found = []
    for latency in LATENCIES:
        table = drawn(latency)
        for row in range(150):
            model = {name: float(table[name][row]) for name in MODEL}
            model |= {"o": 0.0} if row % 10 == 0 else {}
            found.append(Accelerator(**model, latency=latency))
    return found


def numbers(accelerator: Accelerator) -> dict[str, Any]:
    return {name: getattr(accelerator, name) for name in (*MODEL, "latency", "unit", "name")}


def test_regions_and_answers_are_those_of_python(shown: Show) -> None:
    tried = some_accelerators()
    found = shown().execute_script(
        "return arguments[0].map("
        "(each) => [logca.regions(each, 1, 2 ** 40), logca.findings(each)])",
        [numbers(each) for each in tried],
    )
    kinds = set()
    for accelerator, (bands, told) in zip(tried, found, strict=True):
        wanted = accelerator.regions(low=1, high=2.0**40).regions
        assert [band["label"] for band in bands] == [each.label for each in wanted]
        ends = [each.interval.end for each in wanted]
        assert [band["end"] for band in bands] == pytest.approx(ends, rel=1e-9)
        status = accelerator.break_even().status
        pays = {
            RootStatus.ONE: {"from"},
            RootStatus.TWO: {"between", "from"},  # from, if the upper one is beyond 1 EiB
            RootStatus.UPPER_OUT_OF_RANGE: {"from"},
            RootStatus.UPPER_ONLY: {"up to"},
            RootStatus.EVERYWHERE: {"always"},
            RootStatus.NEVER: {"never"},
        }.get(status)
        assert pays is None or told["pays"] in pays, (accelerator, status, told)
        kinds.add(told["pays"])
        peak = accelerator.peak()
        assert told["best"] == pytest.approx(peak.speedup, rel=1e-9)
    assert kinds >= {"from", "between", "up to", "never"}


def test_sizes_are_written_and_read_as_in_python(shown: Show) -> None:
    draw = np.random.default_rng(1)
    sizes = [float(f"{size:.3g}") for size in 10 ** draw.uniform(0, 17, 300)]
    texts = ["4096", "4 KiB", "4KiB", "32 MiB", "2 kB", "1.5e3 B", ".5 GiB"]
    found = shown().execute_script(
        "return [arguments[0].map((g) => logca.sizeText(g, ' ')),"
        " arguments[1].map(logca.parseSize)]",
        sizes,
        texts,
    )
    for size, text in zip(sizes, found[0], strict=True):
        assert parse_size(text) == pytest.approx(parse_size(format_size(size)), rel=6e-3)
    assert found[1] == [parse_size(text) for text in texts]


def test_nothing_is_loaded_and_the_console_is_silent(shown: Show, settled: Settle) -> None:
    driver = shown(RADIX)
    for button in driver.find_elements(
        "css selector", ".copies button, #theme, #add, .gains button"
    ):
        button.click()
    settled(driver)
    assert driver.get_log("browser") == []
    sent = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    addresses = {
        event["params"]["request"]["url"]
        for event in sent
        if event["method"] == "Network.requestWillBeSent"
    }
    assert {address.partition(":")[0] for address in addresses} <= {"file", "data", "blob"}
    assert sum(address.startswith("file") for address in addresses) == 1
    driver.execute_script("console.error('heard')")
    assert "heard" in driver.get_log("browser")[0]["message"]


def text_of(driver: Any, selector: str) -> str:
    found: str = driver.find_element("css selector", selector).text
    return found.replace("\N{NO-BREAK SPACE}", " ")


def typed(driver: Any, selector: str, text: str) -> Any:
    """A field in which a text stands in place of another."""
    field = driver.find_element("css selector", selector)
    field.send_keys("\ue009a\ue000" + text)  # Control and a
    return field


def state_of(driver: Any) -> Any:
    return driver.execute_script("return logca.state")


def test_the_answer_stands_first(shown: Show) -> None:
    assert text_of(shown(), "h1") == (
        "Offloading pays from 358 B on; at most 19 times as fast; half of that at 6.29 KiB."
    )
    assert text_of(shown(RADIX), "h1").startswith("Offloading pays from 4.55 MiB on; at most 3.09")


def test_a_slider_moves_by_keys_and_changes_the_answer(shown: Show, settled: Settle) -> None:
    driver = shown()
    before = text_of(driver, "h1")
    slider = driver.find_element("css selector", "#card-A .slider")
    slider.send_keys("\ue014" * 20)  # right arrow
    settled(driver)
    assert state_of(driver)["A"]["o"] == pytest.approx(29_000 * 10**0.2, rel=0.01)
    assert text_of(driver, "h1") != before
    assert "changed" in driver.execute_script(
        "return document.querySelector('.preset [value=own]').text"
    )
    slider.send_keys("\ue011")  # home: no overhead at all
    settled(driver)
    assert state_of(driver)["A"]["o"] == 0
    assert "o=0&" in driver.current_url


def test_the_address_shows_the_same_again(shown: Show, settled: Settle) -> None:
    driver = shown(RADIX)
    driver.find_element("css selector", "#add").click()
    typed(driver, "#B-A", "12.5")
    driver.find_element("css selector", "#card-A .improve-L button").click()
    driver.find_element("css selector", "#plot").send_keys("\ue014\ue014")
    settled(driver)
    state, address = state_of(driver), driver.current_url.partition("#")[2]
    headings = [text_of(driver, name) for name in ("h1", "#answer-B", "#advice")]
    assert (state["A"]["name"], state["B"]["A"], state["improve"]) == ("radix", 12.5, ["L"])
    again = shown(f"#{address}")
    assert state_of(again) == state
    assert [text_of(again, name) for name in ("h1", "#answer-B", "#advice")] == headings


def test_a_wrong_address_is_told(shown: Show) -> None:
    driver = shown("#o=-1&A=abc&latency=square&g=0&name=<img src=x onerror=alert(1)>&C=80")
    told = text_of(driver, "#faults")
    for word in ("o=-1", "at least 0", "A=abc", "latency=square", "g=0"):
        assert word in told
    state = state_of(driver)["A"]
    assert (state["o"], state["A"], state["latency"], state["C"]) == (29_000, 19, "constant", 80)
    assert driver.find_elements("css selector", "main img") == []


def test_a_wrong_number_is_told_and_not_taken(shown: Show, settled: Settle) -> None:
    driver = shown()
    field = typed(driver, "#A-A", "0.5")
    settled(driver)
    assert field.get_attribute("aria-invalid") == "true"
    assert "greater than 1" in text_of(driver, "#A-A-unit")
    assert state_of(driver)["A"]["A"] == 19


def test_the_pointer_moves_by_keys_and_by_mouse(shown: Show, settled: Settle) -> None:
    driver = shown()
    plot = driver.find_element("css selector", "#plot")
    first = state_of(driver)["g"]
    plot.send_keys("\ue014" * 8)  # right arrow
    settled(driver)
    assert state_of(driver)["g"] == pytest.approx(2 * first)
    assert text_of(driver, ".here h2") == f"At {format_size(2 * first)}"
    assert format_size(2 * first) in plot.get_attribute("aria-valuetext").replace("\xa0", " ")
    plot.send_keys("\ue010")  # end
    settled(driver)
    assert state_of(driver)["g"] == state_of(driver)["high"]
    plot.click()
    settled(driver)
    state = state_of(driver)
    assert state["low"] < state["g"] < state["high"]


def test_a_finger_moves_the_pointer_on_a_phone(shown: Show, settled: Settle) -> None:
    driver = shown()
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        settled(driver)
        chart = driver.execute_script(
            "return document.getElementById('plot').getBoundingClientRect().toJSON()"
        )
        across = [chart["x"] + chart["width"] * share for share in (0.4, 0.6, 0.8)]
        y = chart["y"] + chart["height"] / 2
        found = []
        for kind, x in zip(("touchStart", "touchMove", "touchMove"), across, strict=True):
            at = {"type": kind, "touchPoints": [{"x": x, "y": y}]}
            driver.execute_cdp_cmd("Input.dispatchTouchEvent", at)
            settled(driver)
            found.append(state_of(driver)["g"])
        end = {"type": "touchEnd", "touchPoints": []}
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", end)
    finally:
        driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert found == sorted(set(found))
    # evenly spread fingers are evenly spread on the logarithmic axis
    assert found[1] / found[0] == pytest.approx(found[2] / found[1], rel=0.02)


def test_another_form_of_latency_keeps_the_speedup_at_the_pointer(
    shown: Show, settled: Settle
) -> None:
    driver = shown("#g=4096")
    driver.execute_script("document.querySelector('#card-A [value=linear]').click()")
    settled(driver)
    state = state_of(driver)["A"]
    assert (state["latency"], state["L"]) == ("linear", pytest.approx(1500 / 4096, rel=0.01))


def copied(driver: Any, kind: str) -> str:
    driver.find_element("css selector", f"[data-copy={kind}]").click()
    found: str = driver.find_element("css selector", "#copy-text").get_property("value")
    return found


TWO = RADIX + '&b.o=29000&b.L=1500&b.C=90&b.A=19&b.beta=1&b.latency=constant&b.name=it\'s "mine"'


def test_what_is_copied_can_be_read(shown: Show, tmp_path: Path, capsys: Any) -> None:
    driver = shown(TWO)
    radix = Accelerator(o=4e8, L=15, C=290, A=7, beta=0.94, latency="linear")
    space: dict[str, Any] = {}
    exec(copied(driver, "python"), space)
    assert space["a"].break_even() == radix.break_even()
    assert space["b"].name == 'it\'s "mine"'
    assert "4.553 MiB" in capsys.readouterr().out
    (tmp_path / "mine.toml").write_text(copied(driver, "toml"), encoding="utf-8")
    first, second = load_devices(tmp_path / "mine.toml")
    assert first.accelerator().break_even() == radix.break_even()
    assert (second.A, second.latency, second.device_title) == (19, "constant", 'it\'s "mine"')
    rows = list(csv.DictReader(StringIO(copied(driver, "csv"))))
    sizes = [float(row["granularity_B"]) for row in rows]
    expected = radix.speedup(np.array(sizes))
    assert [float(row["speedup_A"]) for row in rows] == pytest.approx(expected, rel=PRECISE)
    picture = ElementTree.fromstring(copied(driver, "svg"))
    assert picture.tag.endswith("}svg")
    assert not re.search(r"var\(|class=|light-dark", copied(driver, "svg"))
    link = copied(driver, "link")
    assert link.startswith("file:")
    assert "b.A=19" in link


def test_a_file_of_devices_has_one_unit_of_time(shown: Show, tmp_path: Path) -> None:
    text = copied(shown(TWO + "&b.unit=seconds"), "toml")
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    [only] = load_devices(tmp_path / "mine.toml")
    assert only.o == 4e8
    assert "seconds" in text


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_nothing_sticks_out(shown: Show, settled: Settle, width: int) -> None:
    driver = shown(TWO)
    size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    settled(driver)
    try:
        found = driver.execute_script(
            "return [innerWidth, document.documentElement.scrollWidth,"
            " Math.min(...[...document.querySelectorAll('#chart text')].map("
            " (each) => parseFloat(getComputedStyle(each).fontSize)))]"
        )
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert (found[0], found[1] <= width) == (width, True)
    assert found[2] >= 11


def test_every_control_has_a_name(shown: Show) -> None:
    nameless = shown(TWO).execute_script(
        "return [...document.querySelectorAll('button, input, select, textarea, [tabindex]')]"
        ".filter((each) => !each.closest('[hidden]') && !(each.textContent.trim() ||"
        " each.getAttribute('aria-label') || each.labels?.length)).map((each) => each.outerHTML)"
    )
    assert nameless == []


def test_dark_and_light(shown: Show) -> None:
    driver = shown()
    paper = "return getComputedStyle(document.body).backgroundColor"
    before = driver.execute_script(paper)
    driver.find_element("css selector", "#theme").click()
    assert driver.execute_script(paper) != before


def test_a_fit_shows_its_interval_and_what_was_measured(
    shown: Show, fits: Callable[[Truth], Fit]
) -> None:
    found = fits(TWICE)
    driver = shown("", explorer_html(found.accelerator, (), fit=found))
    assert len(driver.find_elements("css selector", "#chart .point")) == 25
    [ribbon] = driver.find_elements("css selector", "#chart .ribbon")
    assert ribbon.get_attribute("d").count("L") > 50
    state = state_of(driver)["A"]
    assert (state["unit"], state["o"]) == ("seconds", found.parameters["o"])
    assert "µs" in text_of(driver, ".pace")
    assert text_of(driver, "h1").startswith("Offloading pays from 1.93 KiB to 671 KiB; at most 1.")


LABELS = """
import { readFileSync } from "node:fs";
globalThis.document = { getElementById: () => ({ textContent: readFileSync(0, "utf8") }) };
%s
const found = [];
for (const width of [600, 780, 1000]) {
  for (let power = 5; power <= 24; power += 0.125) {
    const accelerator = DATA.start;
    Object.assign(state, { A: accelerator, B: null, g: 2 ** power });
    const sizes = samples(...WINDOW);
    const speedups = curve("speedup", accelerator, sizes);
    const at = layout(width, 440, ...WINDOW, [speedups], 1);
    const drawn = marks(at, "A", accelerator, findings(accelerator));
    const texts = /mark-label" x="([\\d.]+)" y="([\\d.]+)" text-anchor="(\\w+)">([^<]+)/g;
    for (const [, x, , anchor, text] of drawn.matchAll(texts)) {
      found.push([at.x(state.g), Number(x), anchor, text]);
    }
  }
}
console.log(JSON.stringify(found));
"""


def by_node(script: str, page: str) -> Any:
    """What a script prints, with a page's data and all of its functions that need no browser."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node.js")
    [data] = re.findall(r'<script[^>]*id="data"[^>]*>(.*?)</script>', page, re.S)
    names = ("state", "numbers", "findings", "chart")
    folder = files("logca.explorer")
    parts = [folder.joinpath(f"{name}.js").read_text("utf-8") for name in names]
    done = subprocess.run(
        [node, "--input-type=module", "-e", script % "\n".join([_model(), *parts])],
        input=data,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr[-500:]
    return json.loads(done.stdout)


def test_labels_of_marks_stand_beside_the_pointer(page: str) -> None:
    labels = by_node(LABELS, page)
    assert len(labels) > 300
    for pointer, x, anchor, text in labels:
        left = x if anchor == "start" else x - 7 * len(text)
        assert not left < pointer < left + 7 * len(text), (pointer, x, anchor, text)


BREAKS = """
import { readFileSync } from "node:fs";
globalThis.document = { getElementById: () => ({ textContent: readFileSync(0, "utf8") }) };
%s
const sizes = samples(64, 2 ** 26, 301);
const at = (name, accelerator) => sizes.map((g) => value(name, accelerator, { g }));
const faster = { ...DATA.start, A: 2 * DATA.start.A };
const smooth = { ...DATA.start, name: "another" };
const { ranges } = findings(DATA.start);
const needed = value("o_for", DATA.start, { g: 2 ** 22, s: 1 });
console.log(JSON.stringify({
  sizes, speedup: at("speedup", DATA.start), host: at("T0", DATA.start),
  accelerated: at("T1", DATA.start), faster: at("speedup", faster),
  smooth: at("speedup", smooth), ranges, answer: answerText(DATA.start),
  even: value("speedup", { ...DATA.start, o: needed }, { g: 2 ** 22 }),
}));
"""


def test_the_curve_of_a_fit_has_its_breaks() -> None:
    sizes = 2.0 ** np.arange(8, 25)
    host = 1e-9 * sizes * np.where(sizes > 1e6, (sizes / 2**20) ** 0.4, 1.0)
    accelerated = (2e-6 + 3e-10 * sizes) * np.where(sizes > 1e5, 4.0, 1.0)
    noise = np.exp(np.random.default_rng(3).normal(0, 0.01, (2, sizes.size, 5)))
    own, other = host[:, None] * noise[0], accelerated[:, None] * noise[1]
    found = fit(Timings(granularity=sizes, host=own, accelerated=other))
    assert len(found.breaks) > 1
    start = replace(found.accelerator, name="fit.json")
    told = by_node(BREAKS, explorer_html(start, (), fit=found))
    g = np.array(told["sizes"])
    assert told["speedup"] == pytest.approx(found.speedup(g), rel=1e-12)
    ratio = np.divide(*found.factors(g))
    assert told["faster"] == pytest.approx(ratio * start.improve(A=2).speedup(g), rel=1e-12)
    assert told["smooth"] == pytest.approx(start.speedup(g), rel=1e-12)
    wanted = found.times(g)  # a call costs nothing here
    assert told["host"] == pytest.approx(wanted[0], rel=1e-9)
    assert told["accelerated"] == pytest.approx(wanted[1], rel=1e-9)
    assert told["even"] == pytest.approx(1.0)
    ends = [end for each in thresholds(found).likely for end in (each.above, each.below)]
    assert len(ends) == 4  # it pays in two ranges
    assert [end or np.inf for pair in told["ranges"] for end in pair] == pytest.approx(
        ends, rel=1e-5
    )
    assert re.search(r"pays from 2\..*KiB to 90\..* and from .* on; as far", told["answer"])

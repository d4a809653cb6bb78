"""A browser, where there is one, and pages for it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from logca.explorer.page import explorer_html
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.paper.devices import device, devices

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--window-size=1440,900", "--disable-background-networking", "--no-first-run"),
)


@pytest.fixture(scope="session")
def aes() -> Accelerator:
    """What the page shows first."""
    return device("ultrasparc-t2", "aes")


@pytest.fixture(scope="session")
def page(aes: Accelerator) -> str:
    """The page, made once."""
    return explorer_html(aes, devices())


@pytest.fixture(scope="session")
def driver() -> Iterator[Any]:
    """A headless Chromium, its console and network recorded."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    runs = shutil.which("chromedriver")
    if browser is None or runs is None:
        pytest.skip("there is no Chromium with its chromedriver to show the page")
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for option in OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(executable_path=runs)
    found = webdriver.Chrome(options=options, service=service)
    yield found
    found.quit()


@pytest.fixture(scope="session")
def shown(driver: Any, page: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """Show a page, with what its address says, and wait until it is drawn."""
    folder = tmp_path_factory.mktemp("explorer")

    def show(address: str = "", markup: str = page) -> Any:
        file: Path = folder / "page.html"
        file.write_text(markup, encoding="utf-8")
        driver.get("about:blank")
        for log in ("browser", "performance"):
            driver.get_log(log)
        driver.get(file.as_uri() + address)
        settle(driver)
        return driver

    return show


@pytest.fixture(scope="session")
def settled() -> Callable[[Any], None]:
    """Wait until a page has drawn what it was told, and has written its address."""
    return settle


def settle(driver: Any) -> None:
    driver.execute_async_script(
        "const done = arguments[0];"
        "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 300)));"
    )

"""The page in a real browser: Debian's Chromium without a window, driven by Playwright.

Without Chromium these tests are skipped, and say how to install it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from lurking import ADMG
from lurking.discovery import Analysis
from lurking.graphs.drawing import printable
from lurking.report import report_html
from lurking.report.sentences import edge_sentence, plain
from report_examples import FIVE, HOSTILE, SIGNALLING, full, hostile, large, minimal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

INSTALL = "install it with: apt-get install chromium (or chromium-headless-shell), and pip install playwright"
PROGRAMS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]

Scheme = Literal["light", "dark"]

FIVE_FULL, SIGNALLING_FULL, LARGE_FULL = full(FIVE), full(SIGNALLING), full(large(40))
_PAGES: dict[int, str] = {}


def page_of(analysis: Analysis) -> str:
    """The page of an analysis, made once for those that several tests open."""
    if not any(analysis is shared for shared in (FIVE_FULL, SIGNALLING_FULL, LARGE_FULL)):
        return report_html(analysis)
    if id(analysis) not in _PAGES:
        _PAGES[id(analysis)] = report_html(analysis)
    return _PAGES[id(analysis)]


@dataclass
class Visit:
    """An open page, and everything that went wrong on it."""

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def texts(self, selector: str) -> list[str]:
        return self.page.locator(selector).all_inner_texts()

    def click_on_line(self, selector: str, share: float = 0.5) -> None:
        """Click on a point of an edge, as a hand would."""
        line = self.page.locator(f"{selector} .lurking-line")
        line.scroll_into_view_if_needed()
        point: dict[str, float] = line.evaluate(
            """(line, share) => {
              const point = line.getPointAtLength(share * line.getTotalLength()).matrixTransform(line.getScreenCTM());
              return { x: point.x, y: point.y };
            }""",
            share,
        )
        self.page.mouse.click(point["x"], point["y"])


Open = Callable[..., Visit]


def show(page: Page, view: Literal["beliefs", "admg", "pag"]) -> None:
    """Switch to a picture."""
    page.locator(f"input[value={view}]").check(force=True)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    api = pytest.importorskip("playwright.sync_api", reason=f"Playwright is missing; {INSTALL}")
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"Chromium is missing; {INSTALL}")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=QUIET)
        yield started
        started.close()


@pytest.fixture
def visit(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Open a report from the disk; afterwards, nothing may have gone wrong and nothing been asked for."""
    visits: list[Visit] = []

    def open_page(analysis: Analysis | str, *, script: bool = True, **options: Any) -> Visit:
        path = tmp_path / f"report{len(visits)}.html"
        path.write_text(analysis if isinstance(analysis, str) else page_of(analysis), encoding="utf-8")
        context = browser.new_context(java_script_enabled=script, **options)
        seen = Visit(context.new_page())
        seen.page.set_default_timeout(10_000)
        seen.page.on("pageerror", lambda error: seen.errors.append(str(error)))
        seen.page.on("console", lambda message: seen.errors.append(message.text))
        seen.page.on("dialog", lambda dialog: seen.errors.append(f"dialog: {dialog.message}"))
        seen.page.on("request", lambda request: seen.requests.append(request.url))
        seen.page.goto(path.as_uri())
        visits.append(seen)
        return seen

    yield open_page
    for seen in visits:
        seen.page.context.close()
        assert seen.errors == []
        assert len(seen.requests) == 1
        assert seen.requests[0].startswith("file:")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("analysis", [FIVE_FULL, LARGE_FULL], ids=["5 variables", "40 variables"])
def test_both_sizes_in_both_colour_schemes(visit: Open, analysis: Analysis, scheme: Scheme) -> None:
    graph = analysis.admg
    page = visit(analysis, color_scheme=scheme, viewport={"width": 1280, "height": 900}).page
    show(page, "admg")
    assert page.locator("#view-admg .lurking-edge").count() == graph.n_edges
    assert page.locator("#view-pag .lurking-edge").count() == graph.to_pag().n_edges
    for selector, background in (("#view-admg .lurking-node text", ".figure"), ("h1", "body"), ("td", "body")):
        ink = page.locator(selector).first.evaluate("e => getComputedStyle(e)[e.closest('svg') ? 'fill' : 'color']")
        paper = page.locator(background).first.evaluate("e => getComputedStyle(e).backgroundColor")
        assert contrast(ink, paper) > 7
        assert (luminance(paper) < luminance(ink)) == (scheme == "dark")
    line = page.locator("#view-admg .lurking-line").first.evaluate("e => getComputedStyle(e).stroke")
    assert contrast(line, page.locator(".figure").evaluate("e => getComputedStyle(e).backgroundColor")) > 4.5
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def luminance(colour: str) -> float:
    """Relative luminance of ``rgb(r, g, b)``, as WCAG defines it."""
    channels = [int(c) / 255 for c in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_switch_changes_edges_and_moves_no_vertex(visit: Open) -> None:
    page = visit(SIGNALLING_FULL).page
    views = {key: page.locator(f"#view-{key}") for key in ("beliefs", "admg", "pag")}

    def visible() -> list[str]:
        return [key for key, view in views.items() if view.is_visible()]

    def places(view: str) -> list[Any]:
        of_page = """e => {
          const box = e.getBoundingClientRect();
          return [box.x + scrollX, box.y + scrollY, box.width].map(Math.round);
        }"""
        return [page.locator(f"#view-{view} .lurking-node").nth(k).evaluate(of_page) for k in (0, 5, 10)]

    assert visible() == ["beliefs"]
    at_first = places("beliefs")
    page.get_by_text("Equivalence", exact=True).click()
    assert visible() == ["pag"]
    assert page.locator("dl.legend[data-of=pag]").is_visible()
    assert not page.locator("dl.legend[data-of=admg]").is_visible()
    assert places("pag") == at_first
    page.keyboard.press("ArrowLeft")
    assert visible() == ["admg"]
    assert places("admg") == at_first


def test_improbable_pairs_are_not_drawn_and_lines_follow_the_probability(visit: Open) -> None:
    page = visit(SIGNALLING_FULL).page
    beliefs = SIGNALLING_FULL.beliefs
    assert beliefs is not None
    adjacent = {frozenset((a, b)): beliefs.adjacent[i, j] for i, a in enumerate(beliefs.names)
                for j, b in enumerate(beliefs.names)}  # fmt: skip
    widths: dict[str, float] = {}
    drawn = set()
    for line in page.locator("#view-beliefs .lurking-edge").all():
        pair = frozenset((line.get_attribute("data-one") or "", line.get_attribute("data-other") or ""))
        drawn.add(pair)
        sure = next(c for c in ("is-certain", "is-probable", "is-unsure") if c in (line.get_attribute("class") or ""))
        assert (adjacent[pair] >= 0.95) == (sure == "is-certain")
        widths[sure] = line.locator(".lurking-line").evaluate("e => parseFloat(getComputedStyle(e).strokeWidth)")
    assert drawn == {pair for pair, p in adjacent.items() if p >= 0.5}
    assert widths["is-certain"] > widths["is-probable"] > widths["is-unsure"]


@pytest.mark.parametrize("number", range(5))
def test_a_click_on_an_edge_opens_its_panel(visit: Open, number: int) -> None:
    seen = visit(FIVE_FULL)
    show(seen.page, "admg")
    edge = seen.page.locator(f"#admg-edge-{number}")
    one, arrow, other = (edge.get_attribute(f"data-{key}") for key in ("one", "arrow", "other"))
    assert not seen.page.locator("#panel").is_visible()
    seen.click_on_line(f"#admg-edge-{number}")
    assert seen.texts("#panel h3") == [f"{one} {'→' if arrow == '->' else '↔'} {other}"]
    text = seen.page.locator("#panel").inner_text()
    estimate = next(e for e in FIVE_FULL.edge_estimates if e.arrow == arrow and {e.one, e.other} == {one, other})
    assert plain(edge_sentence(estimate)) in text
    assert f"{one} is a cause of {other}" in text
    for words in ("Estimate", "Std. error", "Cost of removal", "In 200 bootstrap replicates:"):
        assert words in text
    assert seen.page.locator("#view-admg .lurking-edge.is-chosen").count() == 1
    assert seen.page.locator("#view-admg .lurking-node.is-chosen").count() == 2
    assert seen.page.locator(f'tr.is-chosen[data-edge="{number}"]').count() == 1
    seen.page.keyboard.press("Escape")
    assert not seen.page.locator("#panel").is_visible()
    assert seen.page.locator(".is-chosen").count() == 0


def test_edges_can_be_chosen_without_a_mouse(visit: Open) -> None:
    page = visit(FIVE_FULL).page
    show(page, "admg")
    page.locator("#admg-edge-1").focus()
    page.keyboard.press("Enter")
    assert page.locator("#panel h3").is_visible()
    page.locator("#panel .close").press("Enter")
    assert not page.locator("#panel").is_visible()
    assert page.locator("#admg-edge-1").get_attribute("aria-label") == page.locator("#admg-edge-1 title").text_content()


def test_an_edge_of_the_pag_has_a_panel_too(visit: Open) -> None:
    seen = visit(SIGNALLING_FULL)
    show(seen.page, "pag")
    edge = seen.page.locator('#view-pag .lurking-edge[data-arrow="o->"]').first
    seen.click_on_line(f"#{edge.get_attribute('id')}")
    text = seen.page.locator("#panel").inner_text()
    assert "or something unmeasured causes both" in text


def test_a_click_on_a_variable_lists_its_edges(visit: Open) -> None:
    seen = visit(SIGNALLING_FULL)
    show(seen.page, "admg")
    seen.page.locator('#view-admg .lurking-node[data-name="Mek"] rect').click()
    assert seen.texts("#panel h3") == ["Mek"]
    assert sorted(seen.texts("#panel li")) == ["Mek → Erk", "PKA → Mek", "Raf → Mek"]
    seen.page.locator("#panel li button").first.click()
    assert "→" in seen.texts("#panel h3")[0]
    seen.page.locator("#view-admg svg").click(position={"x": 3, "y": 3})
    assert not seen.page.locator("#panel").is_visible()


def test_a_row_of_the_table_chooses_its_edge(visit: Open) -> None:
    seen = visit(SIGNALLING_FULL)
    show(seen.page, "pag")
    pick = seen.page.locator("tr .pick").nth(3)
    heading = pick.inner_text()
    pick.click()
    assert seen.texts("#panel h3") == [heading]
    assert seen.page.locator("#view-admg").is_visible()


def test_the_slider_fades_rare_edges(visit: Open) -> None:
    page = visit(SIGNALLING_FULL).page
    show(page, "admg")
    shares = sorted(edge.share for edge in SIGNALLING_FULL.edge_estimates if edge.share is not None)
    assert page.locator(".is-below").count() == 0
    page.locator("#threshold").fill("80")
    rare = sum(share < 0.8 for share in shares)
    assert 0 < rare < len(shares)
    assert page.locator("#view-admg .lurking-edge.is-below").count() == rare
    assert page.locator("tr.is-below").count() == rare
    assert page.locator("#threshold-text").inner_text() == "80 %"
    assert f"{len(shares) - rare} of {len(shares)} edges" in page.locator("#threshold-count").inner_text()
    assert page.locator("#view-pag .lurking-edge.is-below").count() > 0
    page.locator("#threshold").fill("0")
    assert page.locator(".is-below").count() == 0


def test_tables_can_be_sorted(visit: Open) -> None:
    page = visit(SIGNALLING_FULL).page

    def column(number: int) -> list[float]:
        cells = page.locator(f"table.edges td:nth-child({number})").all()
        return [float(cell.get_attribute("data-value") or "nan") for cell in cells]

    headings = page.locator("table.edges thead th").all_inner_texts()
    connected = [round(value, 2) for value in column(1 + headings.index("Joined"))]
    assert connected == sorted(connected, reverse=True)
    for heading in ("Cost of removal", "Bootstrap"):
        number = 1 + headings.index(heading)
        page.locator("table.edges thead button", has_text=heading).click()
        assert column(number) == sorted(column(number), reverse=True)
        page.locator("table.edges thead button", has_text=heading).click()
        assert column(number) == sorted(column(number))
    page.locator("table.edges thead button", has_text="Edge").click()
    names = page.locator("table.edges .pick").all_inner_texts()
    assert names == sorted(names, key=str.casefold)


def test_hostile_names_run_nothing(visit: Open) -> None:
    seen = visit(full(hostile(), HOSTILE[0]))
    assert seen.page.title() == HOSTILE[0]
    show(seen.page, "admg")
    for k in range(hostile().n_edges):
        seen.page.locator(f"#admg-edge-{k}").press("Enter")
        names = seen.texts("#panel h3 .name")
        assert len(names) == 2
        assert set(names) <= {" ".join(printable(name).split()) for name in HOSTILE}
    assert seen.page.locator("script").count() == 2
    assert seen.page.locator("img").count() == 0


def test_the_policy_stops_what_it_should(visit: Open) -> None:
    seen = visit(minimal(FIVE))
    stopped = seen.page.evaluate(
        """async () => {
          const stopped = [];
          document.addEventListener("securitypolicyviolation", (event) => stopped.push(event.effectiveDirective));
          document.body.insertAdjacentHTML("beforeend", '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">');
          document.body.append(Object.assign(document.createElement("script"), { textContent: "window.ran = true" }));
          await new Promise((resolve) => setTimeout(resolve, 300));
          return [stopped.sort(), window.ran === undefined];
        }"""
    )
    assert stopped == [["img-src", "script-src-elem"], True]
    assert all("Content Security Policy" in error for error in seen.errors)
    seen.errors.clear()


def test_labels_stay_inside_their_boxes(visit: Open) -> None:
    names = [
        *(
            "PKC",
            "iiiiii",
            "WWWWWWW",
            "systolic blood pressure (mmHg)",
            "BodyMassIndexAtBaselineVisit",
            "MMMMMMMM_MMMMMMM",
        ),
        *("血圧の測定値", "ضغط الدم الانقباضي", "Ångström", "Δημογραφικά στοιχεία", "Здоровье населения", "0123456789"),
        *("a_very_long_name_with_many_underscores_in_it", "x" * 60, "log10(IL-6 + 1)", "e\u0301" * 8),
    ]
    graph = ADMG.from_edges([(names[k], names[k + 1]) for k in range(0, len(names), 2)])
    overflow = visit(minimal(graph)).page.evaluate(
        """() => [...document.querySelectorAll("#view-admg .lurking-node")].filter((node) => {
          const box = node.querySelector("rect").getBBox();
          return [...node.querySelectorAll("text")].some((text) => {
            const line = text.getBBox();
            return line.x < box.x + 2 || line.x + line.width > box.x + box.width - 2;
          });
        }).map((node) => node.dataset.name)"""
    )
    assert overflow == []


def test_on_paper_the_chosen_picture_is_shown(visit: Open) -> None:
    page = visit(SIGNALLING_FULL, color_scheme="dark").page
    show(page, "admg")
    page.locator("#threshold").fill("95")
    closed = page.locator("details:not([open])").count()
    page.emulate_media(media="print")
    assert page.locator("#view-admg").is_visible()
    assert not page.locator("#view-pag").is_visible()
    assert not page.locator(".toolbar").is_visible()
    ink = page.locator("h1").evaluate("e => getComputedStyle(e).color")
    assert contrast(ink, "rgb(255, 255, 255)") > 7
    assert page.locator("#view-admg .is-below").first.evaluate("e => getComputedStyle(e).opacity") == "1"
    assert page.locator("details:not([open])").count() == closed > 0  # what is folded stays folded, to save paper
    assert len(page.pdf(format="A4")) > 20_000


def test_without_script_everything_can_still_be_read(visit: Open) -> None:
    page = visit(FIVE_FULL, script=False).page
    assert page.locator("#view-admg").is_visible()
    assert page.locator("#view-pag").is_visible()
    assert not page.locator(".toolbar").is_visible()
    assert page.locator("table.edges tbody tr").count() == FIVE.n_edges


def test_a_small_screen_does_not_scroll_sideways(visit: Open) -> None:
    page = visit(SIGNALLING_FULL, viewport={"width": 390, "height": 844}).page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.documentElement.scrollHeight / innerHeight") <= 12


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_notebooks_show_the_same_picture(visit: Open, scheme: Scheme) -> None:
    html = f"<!DOCTYPE html><meta charset=utf-8><body>{FIVE._repr_html_()}{FIVE.to_pag()._repr_html_()}</body>"
    page = visit(html, color_scheme=scheme).page
    assert page.locator("svg").count() == 2
    ink = page.locator("svg text").first.evaluate("e => getComputedStyle(e).fill")
    paper = page.locator("svg rect.lurking-box").first.evaluate("e => getComputedStyle(e).fill")
    assert contrast(ink, paper) > 7
    assert (luminance(paper) < luminance(ink)) == (scheme == "dark")


def test_one_variable_of_a_large_graph_is_shown_with_its_neighbours(visit: Open) -> None:
    page = visit(LARGE_FULL).page
    shown, box = page.locator(".neighbourhood:visible"), page.locator("#neighbour")
    assert shown.count() == 1
    assert shown.get_attribute("data-name") == box.input_value()
    linked = next(name for name in LARGE_FULL.names if name != box.input_value() and _neighbours(page, name))
    box.fill(linked.upper())  # letters of either case
    assert shown.get_attribute("data-name") == linked
    neighbour = _neighbours(page, linked)[0]
    shown.locator(f'.lurking-node[data-name="{neighbour}"]').click()
    assert (shown.get_attribute("data-name"), box.input_value()) == (neighbour, neighbour)
    box.fill("no such name")
    assert page.locator("#neighbour-found").inner_text() == "No variable has such a name."
    assert shown.get_attribute("data-name") == neighbour


def _neighbours(page: Page, name: str) -> list[str]:
    """The variables in the picture of one variable, without itself."""
    nodes = page.locator(f'.neighbourhood[data-name="{name}"] .lurking-node')
    return [found for found in nodes.evaluate_all("nodes => nodes.map(node => node.dataset.name)") if found != name]

"""The audit page: what it says, that it needs nothing else, and that a browser opens it without complaint."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.audit import Run, runs
from engine.audit_page import AuditedGame, AuditedRun, audit_page, audited_game
from engine.audit_page_style import STYLE, player_color
from engine.cli.audit import audit_command
from optimizer.evaluation.report import Evaluation
from optimizer.model.position import Route
from optimizer.render.style import contrast
from optimizer.solution import Solution
from tests.render.boards import position, run

MEGABYTE = 1_000_000
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")


def best(evaluation: Evaluation, bound: int | None = None) -> Solution:
    revenue = evaluation.revenue
    return Solution((), revenue, bound or revenue, bound is None, breakdown=evaluation)


def small_game() -> AuditedGame:
    """Four runs by two players: 20 missed in OR 1.2, 85 in OR 2.1 (nothing was run), one not proven."""
    of = position()
    full = run(of)
    route = full.routes[0]
    less = Evaluation(65, (replace(route, revenue=65, stops=route.stops[:2], paths=route.paths[:2]),))
    rows = (
        AuditedRun("OR 1.1", 10, "AB", "Ann & <Co>", of, full, best(full)),
        AuditedRun("OR 1.2", 20, "AB", "Ann & <Co>", of, less, best(full)),
        AuditedRun("OR 2.1", 30, "CDE", "Bob", of, Evaluation(0), best(full)),
        AuditedRun("OR 2.1", 40, "AB", "Ann & <Co>", of, full, best(full, 100)),
    )
    return AuditedGame("1861", "demo", ("Ann & <Co>", "Bob"), rows)


class Page(HTMLParser):
    """The elements of a page: (tag, attributes), and what lies open at the end."""

    VOID = frozenset({"meta", "link", "br"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.elements if name == tag]


def cells(html: str, row: str) -> list[str]:
    """The texts of the table row whose markup holds ``row``."""
    found = next(part for part in re.findall(r"<tr.*?</tr>", html) if row in part)
    return [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", found)]


def test_the_page_is_well_formed_and_byte_stable() -> None:
    html = audit_page(small_game())
    assert Page(html).open == []
    assert html == audit_page(small_game())


def test_totals_by_player_add_up() -> None:
    html = audit_page(small_game())
    # Ann ran 85 + 65 + 85 = 235 and missed 20 of 255 (7.8 %); Bob ran nothing of 85.
    assert cells(html, "Ann &amp; &lt;Co&gt;") == [
        "Ann &amp; &lt;Co&gt;",
        "3",
        "2",
        "235",
        "255",
        "20",
        "7.8 %",
    ]
    assert cells(html, "Bob") == ["Bob", "1", "0", "0", "85", "85", "100.0 %"]
    assert "4 runs of trains earned 235. 2 of them were the best possible; 105 was missed" in html
    assert "In 1 runs the search ended early" in html


def test_every_round_has_a_table_of_its_runs() -> None:
    html = audit_page(small_game())
    for name, count in (("OR 1.1", 1), ("OR 1.2", 1), ("OR 2.1", 2)):
        section = html.split(f"<h2>{name}</h2>")[1].split("</section>")[0]
        assert section.count('<th scope="row">') == count
    missed = html.split("<h2>OR 1.2</h2>")[1]
    assert cells(missed, "AB") == ["AB", "Ann &amp; &lt;Co&gt;", "3", "65", "85", "20"]
    assert "(at most 100)" in html


def test_each_missed_run_has_two_pictures_of_the_same_part_of_the_map() -> None:
    html = audit_page(small_game())
    page = Page(html)
    names = [attrs["id"] for attrs in page.all("details")]
    assert names == ["run-20", "run-30"]
    assert all("open" in attrs for attrs in page.all("details")), "without scripts the pictures are there"
    for name in names:
        part = html.split(f'id="{name}"')[1] if f'id="{name}"' in html else ""
        boxes = re.findall(r'viewBox="([^"]+)"', part.split("</details>")[0])
        assert len(boxes) == 2
        assert boxes[0] == boxes[1]
    assert f'href="#{names[0]}"' in html
    assert "No train ran." in html


def test_the_page_needs_nothing_from_the_network() -> None:
    html = audit_page(small_game())
    page = Page(html)
    assert "://" not in html
    assert "@import" not in html
    assert "url(" not in html
    for _, attrs in page.elements:
        assert not attrs.get("src")
        target = attrs.get("href")
        assert target is None or target.startswith("#") or target == "data:,"


def test_everything_has_a_label() -> None:
    page = Page(audit_page(small_game()))
    for attrs in page.all("svg"):
        assert attrs.get("aria-label") or attrs.get("aria-hidden") == "true"
    assert all(attrs.get("scope") for attrs in page.all("th"))
    assert len(page.all("caption")) == len(page.all("table"))
    assert page.all("html")[0]["lang"] == "en"
    ids = [attrs["id"] for _, attrs in page.elements if attrs.get("id")]
    assert len(ids) == len(set(ids))
    links = {attrs["href"] for tag in ("a", "use") for attrs in page.all(tag)}
    assert links <= {f"#{name}" for name in ids}
    chart = next(attrs for attrs in page.all("svg") if attrs.get("class") == "chart")
    assert "OR 1.1 0, OR 1.2 20, OR 2.1 85" in str(chart["aria-label"])


def test_text_has_enough_contrast() -> None:
    # Text on the page's backgrounds: WCAG asks for 4.5; bars of the chart against white: 3.
    ink, link = re.search(r"color:(#\w{6});font", STYLE), re.search(r"a\{color:(#\w{6})\}", STYLE)
    assert ink is not None
    assert link is not None
    for background in ("#ffffff", "#f1f1f5", "#fdeceb"):
        assert contrast(ink.group(1), background) >= 4.5
        assert contrast(link.group(1), background) >= 4.5
    assert all(contrast(player_color(seat), "#ffffff") >= 3 for seat in range(8))


def test_the_chart_stacks_what_each_player_missed() -> None:
    html = audit_page(small_game())
    chart = html.split('class="chart"')[1].split("</svg>")[0]
    bars = re.findall(r'<rect[^>]*height="([\d.]+)"[^>]*><title>([^<]+)</title>', chart)
    # The highest round, 85, is 150 units tall; 20 is 150 * 20 / 85 = 35.3.
    assert bars == [("35.3", "OR 1.2, Ann &amp; &lt;Co&gt;: 20 missed"), ("150", "OR 2.1, Bob: 85 missed")]


def test_a_game_without_runs_or_misses_has_a_page_too() -> None:
    assert "0 runs of trains earned 0" in audit_page(AuditedGame("1856", "x", ("Ann",), ()))
    perfect = small_game().runs[:1]
    html = audit_page(AuditedGame("1861", "x", ("Ann & <Co>",), perfect))
    assert "<details" not in html


def test_a_page_is_made_from_an_audit_and_its_game_file() -> None:
    of = position()
    routes = [{"train": "3-0", "connections": [["B4", "B6"]], "nodes": ["B4-0", "B6-0"]}]
    found = Run({"id": 7, "routes": routes}, "OR 1.1", "AB", 2, of, 40, best(run(of)))
    # A remote optimizer sends no breakdown: the routes are evaluated here.
    far = Route("3-0", (("B2", "B4"), ("B4", "B6")), (("B2", 0), ("B4", 0), ("B6", 0)))
    remote = Solution((far,), 80, 80, True)
    nobody = Run({"id": 9, "routes": []}, "OR 1.2", "CDE", None, of, 0, remote)
    file = {"title": "1861", "id": "g", "players": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]}
    game = audited_game(file, [found, nobody])
    assert game.players == ("Ann", "Bob")
    one, other = game.runs
    assert (one.player, one.action, one.run.revenue, one.missed) == ("Bob", 7, 40, 45)
    assert [stop.amount for stop in one.run.routes[0].stops] == [30, 10]
    assert other.player == "–"
    assert other.missed == 80
    assert other.best.breakdown is not None
    assert other.best.breakdown.revenue == 80
    assert "Audit of 1861 game g" in audit_page(game)


def browse(path: Path, width: int = 1200) -> tuple[str, list[str]]:
    """Open a page in a headless browser: its document after scripts ran, and the lines of its console.

    Skips where there is no browser; in CI that is a failure.
    """
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        missing = f"no browser here: install one of {', '.join(BROWSERS)}"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--window-size={width},900",
        "--virtual-time-budget=2000",
    ]
    profile = f"--user-data-dir={path.parent / 'profile'}"
    command = [browser, *flags, profile, "--enable-logging=stderr", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


@pytest.mark.parametrize(("ci", "ends"), [("true", pytest.fail.Exception), ("", pytest.skip.Exception)])
def test_a_missing_browser_is_a_failure_in_ci_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ci: str, ends: type[BaseException]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CI", ci)
    with pytest.raises(ends, match="no browser here"):
        browse(tmp_path / "audit.html")


def test_a_browser_opens_the_page_without_complaint(tmp_path: Path) -> None:
    file = tmp_path / "audit.html"
    file.write_text(audit_page(small_game()), encoding="utf-8")
    document, console = browse(file)
    assert console == []
    assert document.count("<table") == 4  # players and three rounds
    assert document.count('class="chart"') == 1
    assert document.count('<figure class="picture"') == 4
    assert '<p class="tools">' in document, "the script has run: the buttons are no longer hidden"


def test_the_console_of_the_browser_is_really_read(tmp_path: Path) -> None:
    file = tmp_path / "noisy.html"
    file.write_text(
        "<!DOCTYPE html><title>x</title><script>console.warn('careful')</script>", encoding="utf-8"
    )
    assert any("careful" in line for line in browse(file)[1])


def test_the_page_fits_a_phone(tmp_path: Path) -> None:
    """Nothing but the boxes that scroll by themselves is wider than a narrow window."""
    probe = "<script>document.title=document.documentElement.scrollWidth+' of '+innerWidth</script></body>"
    file = tmp_path / "audit.html"
    file.write_text(audit_page(small_game()).replace("</body>", probe), encoding="utf-8")
    document, _ = browse(file, width=500)
    wide, window = map(int, re.search(r"<title>(\d+) of (\d+)</title>", document).groups())
    assert wide <= window


@pytest.mark.cases
@pytest.mark.parametrize("name", ["1861-29683", "18rhl-game-end-bank"])
def test_the_page_of_a_whole_game_is_small_and_opens(cases: Path, tmp_path: Path, name: str) -> None:
    with gzip.open(cases / "games" / f"{name}.json.gz", "rb") as packed:
        recorded = json.load(packed)
    game = audited_game(recorded, runs(recorded))
    file = tmp_path / "audit.html"
    source = str(cases / "games" / f"{name}.json.gz")
    result = CliRunner().invoke(audit_command, [source, "--html", str(file)])
    assert result.exit_code == 0, result.output
    html = file.read_text(encoding="utf-8")
    assert html == audit_page(game)
    missed = sum(one.missed > 0 for one in game.runs)
    assert missed > 10
    assert len(html.encode()) < 3 * MEGABYTE
    assert {one.player for one in game.runs} <= set(game.players)
    document, console = browse(file)
    assert console == []
    assert document.count('<figure class="picture"') == 2 * missed
    assert document.count("<table") == 1 + len({one.round for one in game.runs})

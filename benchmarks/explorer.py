"""How much work a pointer move makes in the explorer of 10 000 entities: milliseconds per frame, in headless Chromium.

Run ``python -m benchmarks.explorer``; it needs playwright and a Chromium on the path.
"""

import random
import shutil
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

import rankscape as rs

N = 10_000
MOVES = 300
TIMED = """
const later = window.requestAnimationFrame.bind(window);
window.spent = [];
window.requestAnimationFrame = (frame) => later((time) => {
  const start = performance.now();
  frame(time);
  window.spent.push(performance.now() - start);
});
"""


def many(one_prior: bool) -> rs.Performances:
    """Return counts of many entities: points around a curve of ROC space, or of different priors."""
    rng = np.random.default_rng(0)
    if one_prior:
        skill, bias = 1 + 1.2 * rng.beta(5, 2, N), rng.normal(0, 0.7, N)
        tpr, fpr = (1 / (1 + np.exp(-1.7 * (bias + side * skill / 2))) for side in (1, -1))
        tp, fp = rng.binomial(3000, tpr), rng.binomial(7000, fpr)
        counts = np.stack([7000 - fp, fp, 3000 - tp, tp], axis=1)
    else:
        counts = np.stack([rng.multinomial(5000, p) for p in rng.dirichlet([8, 1.5, 1, 4], N)])
    return rs.Performances.from_counts(counts, names=[f"model-{i:05d}" for i in range(N)])


def main() -> None:
    """Print size, time to load, and the work per frame while the preference is dragged."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for one_prior in (True, False):
            path = rs.explore(many(one_prior), Path(folder) / "explorer.html")
            page = browser.new_page(viewport={"width": 1440, "height": 1000})
            page.add_init_script(TIMED)
            page.goto(path.as_uri())
            loaded = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
            box = page.locator(".tile canvas").nth(1).bounding_box()
            page.mouse.move(box["x"] + 300, box["y"] + 300)
            page.mouse.down()
            page.evaluate("window.spent.length = 0")
            rng, x, y = random.Random(0), 300.0, 300.0
            for _ in range(MOVES):
                x, y = (min(580, max(60, z + rng.uniform(-15, 15))) for z in (x, y))
                page.mouse.move(box["x"] + x, box["y"] + y)
            page.mouse.up()
            page.wait_for_timeout(300)
            spent = np.array(page.evaluate("window.spent"))
            median, slow = np.quantile(spent, [0.5, 0.95])
            priors = "one prior" if one_prior else "different priors"
            print(
                f"{N} entities, {priors}: {path.stat().st_size / 1e6:.2f} MB, loaded in {loaded:.0f} ms, "
                f"{len(spent)} frames of {median:.1f} ms (median), {slow:.1f} ms (95th percentile)"
            )
        browser.close()


if __name__ == "__main__":
    main()

// At which shares of positives the first stays first: the preference stays, the prior of all entities moves.

import { integersOf, quotient } from "./exact.js";
import { preferenceAt } from "./model.js";

/**
 * The interval of the prior in which row k, first alone at a place and a common prior, stays first, and the regions of
 * who is first below and above it: {low, high, below, above} (0 and 1, null: nobody takes over). `regions` are those of
 * who is first; at equal priors these are the vertices of the ROC hull, the only rivals at any prior. Of two of them the
 * one with less FPR and less TPR is better below one prior, the other above it: see rankscape.regions.prior_flips.
 */
export function priorRange(set, regions, k, a, b) {
  const importance = integersOf(preferenceAt(a, b));
  const range = { low: 0, high: 1, below: null, above: null };
  const own = set.exact(k);
  for (const region of regions) {
    const [j] = region.rows;
    if (set.group(j) === set.group(k)) continue;
    const rival = set.exact(j);
    const liberal = (rival[0] + rival[1]) * own[1] < (own[0] + own[1]) * rival[1]; // FPR of the rival is larger
    const flip = liberal ? flipOf(own, rival, importance) : flipOf(rival, own, importance);
    if (flip === null) continue;
    if (liberal && flip <= range.high) Object.assign(range, { high: flip, above: region });
    if (!liberal && flip >= range.low) Object.assign(range, { low: flip, below: region });
  }
  return range;
}

/** The prior below which the first of two rows, with less FPR and less TPR, is better, and above which the other is. */
function flipOf([tn, fp, fn, tp], [tn2, fp2, fn2, tp2], [itn, ifp, ifn, itp]) {
  const [n, m, n2, m2] = [tn + fp, fn + tp, tn2 + fp2, fn2 + tp2];
  const c0 = itn * ifp * (tn * fp2 - tn2 * fp) * m * m2;
  const c1 = itn * ifn * (tn * fn2 * n2 * m - tn2 * fn * n * m2) + itp * ifp * (tp * fp2 * n * m2 - tp2 * fp * n2 * m);
  const c2 = itp * ifn * (tp * fn2 - tp2 * fn) * n * n2;
  if ((c0 <= 0n && c1 <= 0n) || (c2 >= 0n && c1 >= 0n)) return null; // one of them is better at every prior
  const size = [c0, c1, c2].map((c) => (c < 0n ? -c : c)).reduce((x, y) => (x > y ? x : y));
  const [least, middle, most] = [c0, c1, c2].map((c) => quotient(c, size));
  const root = Math.sqrt(middle * middle - 4 * least * most);
  const [top, rest] = middle > 0 ? [middle + root, -2 * most] : [2 * least, root - middle]; // nothing cancels
  return top / (top + rest);
}

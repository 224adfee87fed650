// Colors, the same as in figures: of an entity by its place in the data, of numbers by one palette.

import { LOOK } from "./look.js";

export const HUES = LOOK.hues;
export const REST = LOOK.inks.rest;
const PATTERNS = 4;

/** The hue of what has a place in the data, and which pattern tells it from others of this hue. */
export const hueAt = (place) => HUES[place % HUES.length];
export const roundAt = (place) => Math.floor(place / HUES.length) % PATTERNS;

export const css = ([r, g, b]) => `rgb(${r}, ${g}, ${b})`;
const bytesOf = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

const STOPS = Object.fromEntries(Object.entries(LOOK.palettes).map(([name, colors]) => [name, colors.map(bytesOf)]));

/** A color between the stops of a palette, x in [0, 1]; in signed maps blue is where what is selected is better. */
export function colorOf(x, signed = false) {
  const stops = signed ? STOPS.signed : STOPS.sequential;
  const at = Math.min(1, Math.max(0, x)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  return stops[low].map((c, k) => Math.round(c + (at - low) * (stops[low + 1][k] - c)));
}

/** A hue mixed with paper, so that names on it can be read; opaque, so that parts side by side have no seam. */
export const tinted = (hex, { paper, tint }) => css(bytesOf(hex).map((x, k) => rounded(tint * x + (1 - tint) * bytesOf(paper)[k])));

/** The nearest whole number; of two, the even one, as in Python. */
const rounded = (x) => (x % 1 === 0.5 && Math.round(x) % 2 ? Math.round(x) - 1 : Math.round(x));

/** The colors of a picture that leaves the page: light, whatever the page is. */
export const LIGHT = { ink: LOOK.inks.ink, paper: LOOK.inks.paper, muted: LOOK.inks.quiet, faint: LOOK.inks.faint, accent: "#0b5cad", tint: LOOK.tint };

/** Which pattern each key has: none where its owner has its hue alone; else that of its owner, or, where these do not differ, its turn. */
export function roundsOf(keys, hueOf, roundOf, ownerOf) {
  const owners = new Map();
  for (const key of keys) owners.set(hueOf(key), (owners.get(hueOf(key)) ?? new Map()).set(ownerOf(key), roundOf(key)));
  return new Map(keys.map((key) => {
    const all = owners.get(hueOf(key));
    if (all.size === 1) return [key, 0];
    const differ = new Set(all.values()).size === all.size;
    return [key, differ ? roundOf(key) : [...all.keys()].indexOf(ownerOf(key)) % PATTERNS];
  }));
}

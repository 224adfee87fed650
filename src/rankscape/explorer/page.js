// The page: reads the data that it carries and starts. `explorer` is that of the layout.

import { embedded } from "./embed.js";

const carried = JSON.parse(document.getElementById("rankscape-data").textContent);
const place = document.getElementById("rankscape");
const frame = embedded();
globalThis.rankscape = explorer(place, carried.source, { title: carried.title, start: carried.start, link: true, ...frame });
if (frame.embed) frame.follow(place);

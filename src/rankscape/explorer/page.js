// The page: reads the data that it carries and starts.

import { explorer } from "./app.js";
import { embedded } from "./embed.js";

const carried = JSON.parse(document.getElementById("rankscape-data").textContent);
const place = document.getElementById("rankscape");
const frame = embedded(carried);
globalThis.rankscape = explorer(place, carried.source, { title: carried.title, start: carried.start, link: true, ...frame });
if (frame.embed) frame.follow(place);

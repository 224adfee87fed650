// The page: reads the data that it carries and starts.

import { explorer } from "./app.js";

const carried = JSON.parse(document.getElementById("rankscape-data").textContent);
globalThis.rankscape = explorer(document.getElementById("rankscape"), carried.source, { title: carried.title, start: carried.start, link: true });

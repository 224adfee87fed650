// The simple page: reads the data that it carries and starts.

import { simpleExplorer } from "./simple_app.js";

const carried = JSON.parse(document.getElementById("rankscape-data").textContent);
globalThis.rankscape = simpleExplorer(document.getElementById("rankscape"), carried.source, { title: carried.title, start: carried.start, link: true });

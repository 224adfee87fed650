// Print what the page reads in each of the table files named on standard input (one JSON list of paths), as a JSON list:
// {rows: [[domain or null, entity, [tn, fp, fn, tp] in lowest terms, as digits]], counts, source} or {refused, sentence}.
// The modules of the page are given as one script, by MODULES.

import { readFileSync } from "node:fs";
import { argv } from "node:process";

const page = new Function(`${readFileSync(argv[2], "utf8")}; return { OUTCOMES, TableError, csvOf, greatestCommonDivisor, integersOf, readTable, tableOf, textOf, valueOf };`)();
const { OUTCOMES, TableError, greatestCommonDivisor, integersOf, readTable, tableOf, textOf, valueOf } = page;

function canonical(source) {
  return source.entity.map((entity, i) => {
    const row = integersOf(OUTCOMES.map((outcome) => valueOf(source[outcome][i])));
    const common = row.reduce(greatestCommonDivisor);
    return [source.domains ? source.domains[source.domain[i]] : null, source.entities[entity], row.map((n) => String(n / common))];
  });
}

async function read(path) {
  const bytes = readFileSync(path);
  const file = { size: bytes.length, arrayBuffer: async () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) };
  try {
    const source = readTable(await textOf(file));
    return { rows: canonical(source), counts: source.counts, source, exported: tableOf(source) };
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    return { refused: true, sentence: error.message };
  }
}

console.log(JSON.stringify(await Promise.all(JSON.parse(readFileSync(0, "utf8")).map(read))));

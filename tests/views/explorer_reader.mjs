// Print what the page reads in each of the table files that a JSON file lists, as a JSON list:
// {rows: [[domain or null, entity, [tn, fp, fn, tp] in lowest terms, as digits]], counts, source, exported, ranks} or
// {refused, sentence}. Arguments: the modules of the page as one script, and the JSON file: {paths, importances}.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { argv } from "node:process";

const page = new Function(`${readFileSync(argv[2], "utf8")}; return { OUTCOMES, TableError, dataOf, defaultWeights, greatestCommonDivisor, integersOf, performances, rank, readTable, tableOf, textOf, valueOf };`)();
const { OUTCOMES, TableError, dataOf, defaultWeights, greatestCommonDivisor, integersOf, performances, rank, readTable, tableOf, textOf, valueOf } = page;
const { paths, importances } = JSON.parse(readFileSync(argv[3], "utf8"));

function canonical(source) {
  return source.entity.map((entity, i) => {
    const row = integersOf(OUTCOMES.map((outcome) => valueOf(source[outcome][i])));
    const common = row.reduce(greatestCommonDivisor);
    return [source.domains ? source.domains[source.domain[i]] : null, source.entities[entity], row.map((n) => String(n / common))];
  });
}

function ranksOf(source) {
  const data = dataOf(source);
  const set = performances(data, defaultWeights(data));
  return importances.map((importance) => {
    const { order, low, high } = rank(set, importance);
    return { order: [...order], low: [...low], high: [...high] };
  });
}

async function read(path) {
  const bytes = readFileSync(path);
  const file = { size: bytes.length, arrayBuffer: async () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) };
  try {
    const source = readTable(await textOf(file), basename(path));
    return { rows: canonical(source), counts: source.counts, source, exported: tableOf(source), ranks: ranksOf(source) };
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    return { refused: true, sentence: error.message };
  }
}

console.log(JSON.stringify(await Promise.all(paths.map(read))));

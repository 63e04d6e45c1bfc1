// node example.js [host:port] [position.json]
//
// Finds the best routes of a position (a small map of its own, unless a file is given), checks them with
// the evaluator, and prints the run_routes action as JSON.

import { readFileSync } from 'node:fs';
import { CallError, Client, runRoutes } from './rheingold.js';

// Three cities in a line, 20, 30 and 40; the company's token lies in the middle one. Side 0 leads down.
const city = (revenue, ...edges) => ({
  color: 'yellow',
  stops: [{ kind: 'city', revenue, slots: 1 }],
  paths: edges.map((edge) => ({ a: { edge }, b: { stop: 0 } })),
});
const LINE = {
  id: 'line',
  inline: {
    layout: 'flat',
    phase_colors: ['yellow'],
    hexes: {
      A1: { definition: city(20, 0) },
      A3: { definition: city(30, 3, 0), tokens: [{ stop: 0, slot: 0, company: 'RED' }] },
      A5: { definition: city(40, 3) },
    },
  },
  company: 'RED',
  trains: [{ id: '2-0', name: '2', distance: 2 }],
};

const [target = '127.0.0.1:50051', file] = process.argv.slice(2);

/** Read a position, or say what is wrong with the file and end. */
function read(name) {
  try {
    return JSON.parse(readFileSync(name, 'utf8'));
  } catch (error) {
    const said = { ENOENT: 'there is no such file', EISDIR: 'is a folder', EACCES: 'may not be read' };
    const why = error instanceof SyntaxError ? `is not the JSON of one position: ${error.message}` : said[error.code];
    console.error(`${name}: ${why ?? error.message}`);
    process.exit(2);
  }
}

const position = file ? read(file) : LINE;
const client = new Client(target, { timeout: 30, token: process.env.RHEINGOLD_TOKEN ?? '' });
try {
  const { titles } = await client.listTitles();
  console.error(`titles: ${titles.map((title) => title.name).join(', ')}`);
  for await (const { solution, final } of client.optimizeStream(position)) {
    console.error(`${final ? 'best' : 'found'}: ${solution.revenue}, at most ${solution.bound}`);
  }
  const { solution } = await client.optimize(position);
  const routes = runRoutes(solution);
  const verdict = await client.evaluate(position, routes);
  if (!verdict.legal || verdict.revenue !== solution.revenue) throw new Error('the evaluator disagrees');
  console.log(JSON.stringify({ type: 'run_routes', entity: solution.company, entity_type: 'corporation', routes }));
} catch (error) {
  if (error instanceof CallError) {
    console.error(`${error.status}: ${error.message} (request ${error.requestId})`);
    process.exitCode = 1;
  } else if (error instanceof TypeError || error instanceof RangeError) {
    console.error(`${file}: ${error.message}`); // a field that positions lack, or a value that does not fit it
    process.exitCode = 2;
  } else throw error;
} finally {
  client.close();
}

// Against a live server: RHEINGOLD_TARGET=host:port node --test

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CallError, Client, runRoutes } from './rheingold.js';

const client = new Client(process.env.RHEINGOLD_TARGET, { timeout: 20 });
after(() => client.close());

// A1 and A3 with a city of `revenue` each; the train visits both: twice the revenue.
function pair(revenue) {
  const tile = (edge) => ({
    color: 'yellow',
    stops: [{ kind: 'city', revenue, slots: 1 }],
    paths: [{ a: { edge }, b: { stop: 0 } }],
  });
  return {
    id: `pair ${revenue}`,
    inline: {
      layout: 'flat',
      phase_colors: ['yellow'],
      hexes: {
        A1: { definition: tile(0), tokens: [{ stop: 0, slot: 0, company: 'RED' }] },
        A3: { definition: tile(3) },
      },
    },
    company: 'RED',
    trains: [{ id: '2-0', name: '2', distance: 2 }],
  };
}

test('the best routes are ready to submit', async () => {
  const { solution } = await client.optimize(pair(20));
  assert.equal(solution.revenue, 40);
  assert.equal(solution.proven, true);
  const [route] = runRoutes(solution);
  assert.deepEqual([...route.connections[0]].sort(), ['A1', 'A3']);
  assert.equal(route.revenue, 40);
  const verdict = await client.evaluate(pair(20), [route]);
  assert.equal(verdict.legal, true);
});

test('both spellings of fields are taken, and unknown ones refused', async () => {
  const position = pair(20);
  const { phase_colors: phaseColors, ...inline } = position.inline;
  const offboard = { color: 'red', stops: [{ kind: 'offboard', revenueByColor: { yellow: 30 } }] };
  const stop = { ...offboard, paths: [{ a: { edge: 3 }, b: { stop: 0 } }] };
  inline.hexes.A3 = { definition: stop };
  const { solution } = await client.optimize({ ...position, inline: { ...inline, phaseColors } });
  assert.equal(solution.revenue, 50);
  const unknown = { ...position, inline: { ...inline, phase_colours: phaseColors } };
  await assert.rejects(client.optimize(unknown), /position\.inline\.phase_colours: InlineMap has no such field/);
});

test('values that do not fit their field are refused, not cut', async () => {
  const with_ = (change) => ({ ...pair(20), ...change });
  const train = (change) => with_({ trains: [{ id: '2-0', name: '2', distance: 2, ...change }] });
  for (const [position, said] of [
    [pair(20.5), /hexes\[A1\]\.definition\.stops\[0\]\.revenue: must be a whole number, not 20\.5/],
    [pair('many'), /revenue: must be a whole number, not "many"/],
    [pair(2 ** 32 + 20), /revenue: must be from -2147483648 to 2147483647, not 4294967316/],
    [train({ distance: NaN }), /position\.trains\[0\]\.distance: must be a whole number/],
    [train({ requires_token: 'false' }), /requires_token: must be true or false, not "false"/],
  ]) {
    await assert.rejects(client.optimize(position), said);
  }
  await assert.rejects(client.optimize(pair(20), { limits: { cutoff: 10 ** 12 } }), /limits\.cutoff: must be from/);
  assert.equal((await client.optimize(pair('20'))).solution.revenue, 40); // JSON writes numbers as text, too
});

test('fixed routes are kept', async () => {
  const [route] = runRoutes((await client.optimize(pair(20))).solution);
  const { solution } = await client.optimize(pair(20), { fixed: [route] });
  assert.equal(solution.revenue, 40);
});

test('a stream ends with the final answer', async () => {
  const answers = [];
  for await (const answer of client.optimizeStream(pair(25))) answers.push(answer);
  assert.equal(answers.at(-1).final, true);
  assert.equal(answers.at(-1).solution.revenue, 50);
});

test('a batch answers each item by its id', async () => {
  const items = [];
  for (let revenue = 1; revenue <= 50; revenue += 1) items.push({ id: `${revenue}`, position: pair(revenue) });
  items.push({ id: 'bad', position: { title: '1861', phase: '99' } });
  const found = new Map();
  for await (const answer of client.optimizeBatch(items)) found.set(answer.id, answer);
  assert.equal(found.size, 51);
  assert.equal(found.get('7').solution.revenue, 14);
  assert.equal(found.get('bad').problem.code, 3);
});

test('a faulty item ends a batch', async () => {
  const items = [{ id: '1', position: pair(1) }, { id: '2', position: { colour: 'red' } }];
  const reading = (async () => {
    for await (const answer of client.optimizeBatch(items)) assert.ok(answer.id);
  })();
  await assert.rejects(reading, /position\.colour: Position has no such field/);
});

test('a faulty position is refused', async () => {
  await assert.rejects(client.optimize({ title: 'no such title' }), (error) => {
    assert.ok(error instanceof CallError);
    assert.equal(error.status, 'INVALID_ARGUMENT');
    assert.match(error.message, /position\.title/);
    assert.ok(error.requestId);
    return true;
  });
});

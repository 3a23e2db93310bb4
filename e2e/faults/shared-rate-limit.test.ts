import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type OwnPostgres, startPostgres } from '../../packages/server/test/test-postgres.ts';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';

const perSecond = 100;
const firstSeconds = 3;
const measuredSeconds = atScale({ bounded: 4, full: 60 });
/** Chance moves a short measurement further than a long one. */
const tolerance = atScale({ bounded: 0.2, full: 0.1 });

/** Requests a second at each node: most of them at the first. */
const demands = [200, 40];

let postgres: OwnPostgres;
let directory: Provisioned;

before(async () => {
  postgres = await startPostgres();
  directory = await provisionDirectory(1, await postgres.createDatabase());
});

after(async () => {
  await directory?.remove();
  await postgres.stop();
});

test(`two nodes with two workers each accept ${perSecond} requests a second together`, async (t) => {
  const flags = ['--workers', '2', '--rate-limit', String(perSecond), '--log-level', 'error'];
  const nodes = [
    await ServerProcess.start(directory, ...flags),
    await ServerProcess.start(directory, ...flags),
  ];
  const clients = nodes.map(({ url }) => new SignedClient(url, directory.credentials, 16));
  try {
    await requestsOf(clients, firstSeconds);
    const { codes, seconds } = await measure(clients);
    const accepted = countOf(codes, 1101);
    t.diagnostic(
      `figure: ${(accepted / seconds).toFixed(1)} of ${(codes.length / seconds).toFixed(0)} requests a second accepted ` +
        `by four processes over ${seconds.toFixed(1)} s; the limit is ${perSecond}`,
    );
    assert.ok(accepted / seconds >= (1 - tolerance) * perSecond, `${accepted} in ${seconds} s`);
  } finally {
    for (const client of clients) client.close();
    for (const node of nodes) await node.kill();
  }
});

interface Measured {
  readonly codes: readonly number[];
  readonly seconds: number;
}

const measurementsMax = 5;

/** Measures until the machine keeps pace with the requests. Fewer than the limit are accepted if it answers later. */
async function measure(clients: readonly SignedClient[]): Promise<Measured> {
  for (let left = measurementsMax; ; left--) {
    const startedMs = performance.now();
    const codes = await requestsOf(clients, measuredSeconds);
    const seconds = (performance.now() - startedMs) / 1000;
    const accepted = countOf(codes, 1101);
    assert.equal(accepted + countOf(codes, 1429), codes.length, 'an answer other than 1101 and 1429');
    assert.ok(accepted / seconds <= (1 + tolerance) * perSecond, `${accepted} in ${seconds} s`);
    assert.ok(left > 0, `${codes.length} requests take ${seconds} s: the machine is too busy to measure`);
    if (seconds <= 1.25 * measuredSeconds) return { codes, seconds };
  }
}

function countOf(codes: readonly number[], code: number): number {
  return codes.filter((each) => each === code).length;
}

/** Sends reads of a user who does not exist at a steady pace, and returns the codes of all answers. */
async function requestsOf(clients: readonly SignedClient[], seconds: number): Promise<number[]> {
  const sent: Promise<{ code: number }>[] = [];
  const startedMs = performance.now();
  const begun = demands.map(() => 0);
  for (;;) {
    const elapsed = (performance.now() - startedMs) / 1000;
    if (elapsed >= seconds) break;
    for (const [index, client] of clients.entries()) {
      for (; (begun[index] ?? 0) < elapsed * (demands[index] ?? 0); begun[index] = (begun[index] ?? 0) + 1) {
        sent.push(client.call('GET', '/user?username=nobody'));
      }
    }
    await delay(5);
  }
  return (await Promise.all(sent)).map(({ code }) => code);
}

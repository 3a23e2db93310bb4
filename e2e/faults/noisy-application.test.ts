import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { issueApplication } from '@fieldroster/server/admin';
import { type OwnPostgres, startPostgres } from '../../packages/server/test/test-postgres.ts';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { openProvisioned, type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { type Credentials, SignedClient } from '../signed-client.ts';
import { asByDefault } from './overload-limits.ts';

/** More than the connections for writes and the queue of one application hold. */
const noisyClients = atScale({ bounded: 100, full: 400 });
const quietWrites = atScale({ bounded: 10, full: 300 });
/** A tenth of `Retry-After`, which the noisy application does not honour. */
const impatienceMs = 100;

let postgres: OwnPostgres;
let directory: Provisioned;
let quiet: Credentials;

before(async () => {
  postgres = await startPostgres();
  directory = await provisionDirectory(1, await postgres.createDatabase());
  const opened = await openProvisioned(directory);
  quiet = await issueApplication(opened, { name: 'quiet', tenant: 'default', scope: 'write' });
  await opened.database.close();
});

after(async () => {
  await directory?.remove();
  await postgres.stop();
});

test(`${noisyClients} writers of one application neither refuse nor outrun the writes of another`, async (t) => {
  const server = await ServerProcess.start(directory, '--log-level', 'error', ...asByDefault);
  const noisyClient = new SignedClient(server.url, directory.credentials, noisyClients);
  const quietClient = new SignedClient(server.url, quiet, 1);
  let going = true;
  const noisy = { accepted: 0, refused: 0 };
  const runNoisy = async (writer: number) => {
    for (let count = 0; going; count += 1) {
      const { code } = await noisyClient.call('POST', '/user/stores', {
        username: `noisy-${writer}-${count}`,
      });
      if (code === 0) noisy.accepted += 1;
      else {
        noisy.refused += 1;
        await delay(impatienceMs);
      }
    }
  };
  try {
    const writers = Promise.all(Array.from({ length: noisyClients }, (_, writer) => runNoisy(writer)));
    // Awaited below; avoids an unhandled rejection until then.
    writers.catch(() => {});
    const overtaken: number[] = [];
    for (let count = 0; count < quietWrites; count += 1) {
      const before = noisy.accepted;
      const { code } = await quietClient.call('POST', '/user/stores', { username: `quiet-${count}` });
      assert.equal(code, 0, 'a write of the quiet application');
      overtaken.push(noisy.accepted - before);
    }
    going = false;
    await writers;
    const median = overtaken.toSorted((a, b) => a - b)[Math.floor(quietWrites / 2)] ?? Number.NaN;
    t.diagnostic(
      `figure: ${quietWrites} writes of a quiet application beside ${noisy.accepted} accepted and ${noisy.refused} refused ` +
        `ones of a noisy one; ${median} of those, by the median, were answered during one of the quiet`,
    );
    // In one queue for all, each quiet write would wait for all noisy ones that are ahead of it.
    assert.ok(median < noisyClients / 2, `${median} noisy writes were answered during a quiet one`);
  } finally {
    going = false;
    noisyClient.close();
    quietClient.close();
    await server.kill();
  }
});

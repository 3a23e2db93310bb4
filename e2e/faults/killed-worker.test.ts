import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { listWorkers } from '../workers/worker-pids.ts';
import { KeepAliveLoad } from './keep-alive-load.ts';
import { isSilence } from './raw-http-connection.ts';

const clients = atScale({ bounded: 6, full: 100 });
const kills = atScale({ bounded: 2, full: 30 });

test('a request to a killed worker ends at once: none hangs until its client gives up', async (t) => {
  const directory = await provisionDirectory(1);
  const server = await ServerProcess.start(directory, '--workers', '2');
  t.after(() => server.kill());
  // One load keeps opening connections; the other keeps requests in flight.
  const options = { ...directory, port: server.port, clients, pauseMsMax: 20 };
  const loads = [
    KeepAliveLoad.start(options),
    KeepAliveLoad.start({ ...options, mark: 'once', requestsPerConnection: 1 }),
  ] as const;
  for (let kill = 0; kill < kills; kill++) {
    await loads[1].untilMore(clients * 2);
    const [worker = 0] = listWorkers(server.pid);
    process.kill(worker, 'SIGKILL');
    // Waits for the replacement, without which the next kill might leave no worker listening.
    await server.until(() => server.timesListening >= 3 + kill);
  }
  for (const load of loads) await load.stop();
  const failures = loads.flatMap((load) => load.failures);
  const answered = loads[0].answered + loads[1].answered;
  t.diagnostic(
    `figure: ${kills} workers killed; ${answered} requests answered, ${failures.length} broken at once`,
  );
  const unexpected = failures.filter((failure) => isSilence(failure) || failure.includes('ECONNREFUSED'));
  assert.deepEqual(unexpected, []);
  assert.equal(await server.stop(), 0);
  await directory.remove();
});

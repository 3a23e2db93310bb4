import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { queryParametersMax } from '@fieldroster/signing';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient, signCall } from '../signed-client.ts';

const seconds = atScale({ bounded: 3, full: 20 });
const requestsPerSecond = 28;

/** Eight kilobytes of parameters, which every attempt decodes, sorts and joins. */
const parameters = Array.from({ length: queryParametersMax }, () => 'a'.repeat(30));
const target = `/user?${parameters.join('&')}`;

describeOnEachEngine((provision, engine) => {
  // The help needs no database, whichever engine it is.
  if (engine !== 'SQLite' && !fullScale) return;

  test(`${requestsPerSecond} wrong signatures a second over 8 KiB of parameters cost little more than their refusal`, async (t) => {
    if (process.platform !== 'linux') {
      t.diagnostic('NOT TESTED: the time of another process is read from /proc');
      return;
    }
    const directory = await provision(0);
    const server = await ServerProcess.start(directory);
    const client = new SignedClient(server.url, directory.credentials);
    try {
      const { appId } = directory.credentials;
      const send = async (credentials: typeof directory.credentials, code: number) => {
        const shares: number[] = [];
        for (let second = 0; second < seconds; second += 1) {
          const [before, startedMs] = [cpuSeconds(server.pid), performance.now()];
          const next = delay(1_000);
          const calls = Array.from({ length: requestsPerSecond }, () => signCall(credentials, 'GET', target));
          for (const call of calls) assert.equal((await client.send(call)).code, code);
          await next;
          // On a busy machine the requests take longer than a second, and help may take its part of each.
          shares.push((cpuSeconds(server.pid) - before) / ((performance.now() - startedMs) / 1_000));
        }
        // The same work takes more processor time while other programs use the core's caches.
        return Math.min(...shares);
      };
      await send(directory.credentials, 1001);
      const unknown = await send({ appId: 'nobody', appSecret: 'x' }, 1013);
      const wrong = await send({ appId, appSecret: 'not the secret' }, 1014);
      const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
      t.diagnostic(
        `figure: ${engine}: ${requestsPerSecond} requests/s took ${percent(wrong)} of a core with wrong signatures, ${percent(unknown)} ` +
          'with an unknown application',
      );
      // Help may take a twentieth of a core. As much again allows for refusals and the kernel's coarse accounting.
      assert.ok(wrong < unknown + 0.1, `${percent(wrong)} of a core`);
    } finally {
      client.close();
      await server.kill();
      await directory.remove();
    }
  });
});

/** Returns the processor time that the process has used, in user mode and in the kernel. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const ticksPerSecond = 100;
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

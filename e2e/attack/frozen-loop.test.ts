import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueApplication, openDirectory } from '@fieldroster/server/admin';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import type { Provisioned } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { type Credentials, type Envelope, signText } from '../signed-client.ts';
import { bytesMaxOf, hostileBodies, type LargeBody, validBodies } from './large-bodies.ts';
import { LongestWait, type Waits } from './longest-wait.ts';

/** Bodies of the largest size, or of a size at which the server was held up for long enough to be noticed. */
const shrink = atScale({ bounded: 16, full: 1 });
const storeCount = atScale({ bounded: 2_000, full: 50_000 });

/** What the event loop may do before it answers another client, in milliseconds, above what it does when idle. */
const workMsMax = 50;

const idleRequests = 200;

describeOnEachEngine((provision, engine) => {
  test('no body keeps another client waiting', async (t) => {
    const directory = await provision(storeCount);
    const credentials = await manager(directory);
    const server = await ServerProcess.start(directory);
    const waits = new LongestWait(server);
    const report = (name: string, { workMs, wallMs }: Waits) =>
      t.diagnostic(
        `figure: ${engine}: ${workMs.toFixed(1)} ms of work (${wallMs.toFixed(1)} ms waited), ${name}`,
      );
    try {
      const idle = await waits.during(Promise.resolve(), idleRequests);
      report('idle', idle);
      for (const body of [...hostileBodies, ...validBodies(directory.storeCodes)]) {
        const name = `${body.name}, POST ${body.target}`;
        const answer = send(server.url, credentials, body);
        const longest = await waits.during(answer);
        report(name, longest);
        const { code, message } = await answer;
        assert.ok(body.codes.includes(code), `${name}: ${code} ${message}`);
        assert.ok(longest.workMs < idle.workMs + workMsMax, `${name}: ${longest.workMs} ms of work`);
      }
    } finally {
      waits.close();
      await server.kill();
      await directory.remove();
    }
  });
});

async function send(url: string, credentials: Credentials, { target, make }: LargeBody): Promise<Envelope> {
  const text = make((bytesMaxOf[target] ?? 0) / shrink);
  const { method, headers, body } = signText(credentials, 'POST', target, text);
  const response = await fetch(new URL(target, url), { method, headers, body: body ?? null });
  return (await response.json()) as Envelope;
}

/** An application that may change users and stores. */
async function manager({ data, database }: Provisioned): Promise<Credentials> {
  const directory = await openDirectory({ data, environment: {}, ...(database && { database }) });
  const { appId, appSecret } = await issueApplication(directory, {
    name: 'manager',
    tenant: 'default',
    scope: 'manage',
  });
  await directory.store.close();
  return { appId, appSecret };
}

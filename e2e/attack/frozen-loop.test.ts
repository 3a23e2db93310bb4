import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueApplication, openDirectory } from '@fieldroster/server/admin';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import type { Provisioned } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { type Credentials, type SignedCall, SignedClient, signText } from '../signed-client.ts';
import { bytesMaxOf, hostileBodies, type LargeBody, validBodies } from './large-bodies.ts';
import { LongestWait } from './longest-wait.ts';

/** Bodies of the largest size, or of a size that took the server as long before they were read in turns. */
const shrink = atScale({ bounded: 16, full: 1 });
const storeCount = atScale({ bounded: 2_000, full: 50_000 });

/** What a request may wait for another one, in milliseconds, above what it waits for on an idle server. */
const waitMsMax = atScale({ bounded: 500, full: 50 });

const idleRequests = 500;

describeOnEachEngine((provision, engine) => {
  test('no body keeps another client waiting', async (t) => {
    const directory = await provision(storeCount);
    const credentials = await manager(directory);
    const server = await ServerProcess.start(directory);
    const waits = new LongestWait(server.url);
    const client = new SignedClient(server.url, credentials, 1);
    try {
      const idleMs = await waits.during(Promise.resolve(), idleRequests);
      t.diagnostic(`figure: ${engine}: ${idleMs.toFixed(1)} ms idle`);
      for (const body of [...hostileBodies, ...validBodies(directory.storeCodes)]) {
        const call = signed(credentials, body);
        const answer = client.send(call);
        const longestMs = await waits.during(answer);
        t.diagnostic(`figure: ${engine}: ${longestMs.toFixed(1)} ms, ${body.name}, POST ${body.target}`);
        assert.equal((await answer).code, body.code, body.name);
        assert.ok(longestMs < idleMs + waitMsMax, `${body.name}: ${longestMs} ms; idle: ${idleMs} ms`);
      }
    } finally {
      waits.close();
      client.close();
      await server.kill();
      await directory.remove();
    }
  });
});

function signed(credentials: Credentials, { target, make }: LargeBody): SignedCall {
  const text = make((bytesMaxOf[target] ?? 0) / shrink);
  return signText(credentials, 'POST', target, text);
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

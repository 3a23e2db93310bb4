import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unfoldingBodies } from '../../packages/server/test/unfolding-bodies.ts';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { ServerProcess } from '../server-process.ts';
import { issueManager } from './issue-manager.ts';
import { bytesMaxOf, hostileBodies, validBodies } from './large-bodies.ts';
import { LongestWait, type Waits, wordsOf } from './longest-wait.ts';
import { sendLargeBody } from './send-large-body.ts';

/** Divides the largest size of each body. Even the smaller bodies once blocked the server noticeably. */
const shrink = atScale({ bounded: 16, full: 1 });
const storeCount = atScale({ bounded: 2_000, full: 50_000 });

describeOnEachEngine((provision, engine) => {
  // A refused body never reaches the database.
  const hostile = engine === 'SQLite' || fullScale ? hostileBodies : [];

  test('no body keeps another client waiting', async (t) => {
    const directory = await provision(storeCount);
    const credentials = await issueManager(directory);
    const server = await ServerProcess.start(directory);
    const waits = new LongestWait(server);
    const report = (name: string, longest: Waits) =>
      t.diagnostic(`figure: ${engine}: ${wordsOf(longest)}, ${name}`);
    try {
      const tooLong: string[] = [];
      report('idle', await waits.learnIdle());
      const bodies = [...hostile, ...validBodies(directory.storeCodes)].map((body) => ({
        ...body,
        signer: credentials,
        bytes: bytesMaxOf(body) / shrink,
      }));
      const { appId } = credentials;
      const wronglySigned = unfoldingBodies.map(([label, text]) => ({
        name: `${label}, with a wrong signature`,
        target: '/user',
        codes: [1014],
        make: () => text,
        signer: { appId, appSecret: 'not the secret' },
        bytes: text.length,
      }));
      for (const body of [...bodies, ...wronglySigned]) {
        const name = `${body.name}, POST ${body.target}`;
        const answer = sendLargeBody(server.url, body.signer, body, body.bytes);
        const longest = await waits.during(answer);
        report(name, longest);
        const { code, message } = await answer;
        assert.ok(body.codes.includes(code), `${name}: ${code} ${message}`);
        if (waits.isTooLong(longest)) tooLong.push(name);
      }
      assert.deepEqual(tooLong, []);
    } finally {
      waits.close();
      await server.kill();
      await directory.remove();
    }
  });
});

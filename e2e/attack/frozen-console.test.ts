import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@fieldroster/contract';
import { consoleLimits } from '@fieldroster/contract/console';
import { type ConsoleBrowser, uuidV7 } from '../../packages/server/test/console-browser.ts';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { ServerProcess } from '../server-process.ts';
import { issueManager } from './issue-manager.ts';
import { joinOperator } from './join-operator.ts';
import { bytesMaxOf, validBodies } from './large-bodies.ts';
import { LongestWait, restUnlessFull, wordsOf } from './longest-wait.ts';
import { sendInThread, sendLargeBody } from './send-large-body.ts';

/** Divides the size of each change. */
const shrink = atScale({ bounded: 16, full: 1 });
const storeCount = limits.storeCodesMax / shrink;

/** Usernames as long as they may be, which differ only at the end. */
const usernames = Array.from({ length: 1_000 }, (_, index) => String(index).padStart(50, 'u'));

interface Change {
  readonly name: string;
  readonly path: string;
  readonly body: string;
}

describeOnEachEngine((provision, engine) => {
  test('no change in the console keeps another client waiting', async (t) => {
    const directory = await provision(storeCount);
    const credentials = await issueManager(directory);
    const server = await ServerProcess.start(directory);
    const waits = new LongestWait(server, restUnlessFull);
    try {
      const browser = await joinOperator(server, directory);
      const bind = async (username: string, store_codes: readonly string[]) => {
        const make = () => JSON.stringify({ username, store_codes });
        const target = '/user/stores';
        const { code, message, data } = await sendLargeBody(
          server.url,
          credentials,
          { name: '', target, codes: [], make },
          0,
        );
        assert.equal(code, 0, message);
        return Number(data?.id);
      };
      const users = usernames.map((username) => ({ username }));
      const createUsers = JSON.stringify({ users });
      await browser.succeed('POST', '/tenants/1/users/batch', JSON.parse(createUsers));

      const { storeCodes } = directory;
      const some = storeCodes.slice(0, storeCodes.length * 0.9);
      const [all, none] = [await bind('all', storeCodes), await bind('none', [])];
      const most = await bind('most', some);
      const move = (from_user_id: number, to_user_id: number, expected_store_codes: readonly string[]) =>
        JSON.stringify({
          from_user_id,
          to_user_id,
          store_codes: storeCodes,
          kept_store_codes: [],
          expected_store_codes,
        });
      const stores = storeCodes.slice(0, consoleLimits.changedStoresMax);
      const few = users.slice(0, consoleLimits.storesOfChangeMax / consoleLimits.changedStoresMax / shrink);
      const changes: Change[] = [
        { name: 'every store moves to a user without one', path: 'move-stores', body: move(all, none, []) },
        {
          name: 'every store moves to a user with most of them',
          path: 'move-stores',
          body: move(none, most, some),
        },
        ...[
          { name: 'a thousand users get a role and an organization', users, role_id: 11, org_id: 21 },
          { name: 'two hundred users get a thousand stores each', users: few, add_store_codes: stores },
          { name: 'two hundred users lose a thousand stores each', users: few, remove_store_codes: stores },
        ].flatMap(({ name, ...change }) =>
          [true, false].map((dry_run) => ({
            name: dry_run ? `preview: ${name}` : name,
            path: 'change-users',
            body: JSON.stringify({ ...change, dry_run }),
          })),
        ),
        ...validBodies(storeCodes).map(({ name, target, make }) => ({
          name,
          path: target.slice(1),
          body: make(bytesMaxOf({ target }) / shrink),
        })),
      ];
      const tooLong: string[] = [];
      t.diagnostic(`figure: ${engine}: ${wordsOf(await waits.learnIdle())}, idle`);
      for (const { name, path, body } of changes) {
        const url = new URL(`/console/api/tenants/1/${path}`, server.url);
        const send = async () => {
          for (;;) {
            const envelope = await sendInThread(url, { method: 'POST', headers: headersOf(browser), body });
            // A busy machine takes too long for some.
            if (envelope.code !== 1503) return envelope;
          }
        };
        const answer = send();
        const longest = await waits.during(answer);
        t.diagnostic(`figure: ${engine}: ${wordsOf(longest)}, ${name}, ${path}`);
        const { code, message } = await answer;
        assert.equal(code, 0, `${name}: ${message}`);
        if (waits.isTooLong(longest)) tooLong.push(`${name}: ${wordsOf(longest)}`);
      }
      if (fullScale) assert.deepEqual(tooLong, []);
    } finally {
      waits.close();
      await server.kill();
      await directory.remove();
    }
  });
});

/** Returns the headers of a new change, as the console's page sends it. */
function headersOf({ origin, cookie, operatorId }: ConsoleBrowser): Record<string, string> {
  return {
    Cookie: cookie ?? '',
    Origin: origin,
    'X-Fieldroster-Console': '1',
    'Operator-Id': String(operatorId),
    'Change-Id': uuidV7(Date.now()),
    'Content-Type': 'application/json',
  };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { issueManager } from '../attack/issue-manager.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { ServerProcess } from '../server-process.ts';
import { type Envelope, SignedClient } from '../signed-client.ts';

const rounds = atScale({ bounded: 25, full: 200 });
const readersOfEach = 4;

describeOnEachEngine((provision) => {
  test('a user that is deleted with its role and its store never appears without them, and neither does a removed store without its user', async () => {
    const directory = await provision(1);
    const manager = await issueManager(directory);
    const server = await ServerProcess.start(directory);
    const client = new SignedClient(server.url, manager);
    const [roleId] = directory.roleIds;
    const answered = { listed: 0, refused: 0 };
    try {
      for (let round = 0; round < rounds; round++) {
        const code = `round-${round}`;
        const user = { username: 'deleted', role_id: roleId, store_codes: [code] };
        assert.equal((await client.call('POST', '/store', { code, name: 'A store' })).code, 0);
        const { data } = await client.call('POST', '/users/batch', { users: [user] });
        const [{ id = 0, outcome = '' } = {}] = (data as { results: { id?: number; outcome?: string }[] })
          .results;
        assert.match(outcome, /^(created|updated)$/);
        const removal = round % 2 === 0 ? `/store?code=${code}&force=true` : `/user?user_id=${id}`;
        const targets =
          round % 2 === 0
            ? [`/store/users?store_code=${code}`, `/users?store_code=${code}`]
            : [`/user/role?user_id=${id}`, `/user/store?user_id=${id}`];
        let isRemoved = false;
        const readUntilRemoved = async (target: string) => {
          const answers: Envelope[] = [];
          while (!isRemoved) answers.push(await client.call('GET', target));
          return [...answers, await client.call('GET', target)];
        };
        const reading = Array.from({ length: readersOfEach }, () => targets.map(readUntilRemoved)).flat();
        const removed = await client.call('DELETE', removal);
        isRemoved = true;
        assert.equal(removed.code, 0);
        const answers = (await Promise.all(reading)).flat();
        for (const answer of answers) {
          checkWhole(answer);
          answered[answer.code === 0 ? 'listed' : 'refused'] += 1;
        }
      }
      assert.ok(answered.listed > 0 && answered.refused > 0, JSON.stringify(answered));
    } finally {
      client.close();
      await server.kill();
      await directory.remove();
    }
  });
});

/** Asserts that an answer lists something, or says that its user or store does not exist. */
function checkWhole({ code, data = {} }: Envelope): void {
  if (code === 1101 || code === 1401) return;
  const lists = Object.values(data).filter((value) => Array.isArray(value));
  assert.deepEqual([code, lists.map(({ length }) => length)], [0, [1]]);
}

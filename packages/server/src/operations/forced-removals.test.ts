import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deadlineOfWrite } from '../../test/deadline-of-write.ts';
import { startTestServer } from '../../test/test-server.ts';
import type { Deadline } from '../time/deadline.ts';

const server = await startTestServer();
after(() => server.close());

/** The turns of its application that 201 rows cost. The time for them follows from the rows too; see `call-deadline.test.ts`. */
const costOf201Rows = 5;

/** Creates a role, an organization and a store of one number, and binds this many new users to each of them. */
async function bind(number: number, users: number): Promise<void> {
  const [id, code] = [number, `S-${number}`];
  await server.succeed('POST', '/role', { id, name: 'R', system_id: 1, position: 1, description: '' });
  await server.succeed('POST', '/org', { id, name: 'O', parent_id: 0 });
  await server.succeed('POST', '/store', { code, name: 'S', address: '' });
  const entries = Array.from({ length: users }, (_, index) => ({
    username: `user.${number}.${index}`,
    role_id: id,
    org_id: id,
    store_codes: [code],
  }));
  await server.succeed('POST', '/users/batch', { users: entries, create: true });
}

/** Sends a removal, and returns the deadline of its write. */
function deadlineOf(target: string, expectedCode = 0): Promise<Deadline | undefined> {
  return deadlineOfWrite(server.database, async () => {
    const { envelope } = await server.call('DELETE', target);
    assert.equal(envelope.code, expectedCode, envelope.message);
  });
}

test('a removal that unbinds more than 200 users gets more time, and no other write waits for all of it', async () => {
  await bind(901, 201);
  for (const target of ['/role?id=901', '/org?id=901', '/store?code=S-901']) {
    const deadline = await deadlineOf(`${target}&force=true`);
    assert.deepEqual([deadline?.bulk, deadline?.cost], [true, costOf201Rows], target);
  }
});

test('a removal that unbinds few users, or is refused without force, is written together with others', async () => {
  await bind(902, 201);
  await bind(903, 1);
  for (const [target, code] of [
    ['/role?id=902', 1203],
    ['/org?id=902', 1303],
    ['/store?code=S-902', 1403],
    ['/role?id=903&force=true', 0],
    ['/org?id=903&force=true', 0],
    ['/store?code=S-903&force=true', 0],
    ['/store?code=S-none&force=true', 1401],
  ] as const) {
    const deadline = await deadlineOf(target, code);
    assert.equal(deadline?.bulk, false, target);
    assert(deadline.remainingMs <= 10_000, target);
  }
});

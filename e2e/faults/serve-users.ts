import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { issueManager } from '../attack/issue-manager.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { asByDefault, MemoryWatch } from './overload-limits.ts';

/**
 * Starts a server that refuses for overload as it does by default, and creates users `user-0`, `user-1` and so on.
 *
 * @param fields what each of them has besides a username
 */
export async function serveUsers(
  t: TestContext,
  count: number,
  fields: Readonly<Record<string, string>> = {},
) {
  const directory = await provisionDirectory(1);
  t.after(() => directory.remove());
  const manager = await issueManager(directory);
  const server = await ServerProcess.start(directory, '--log-level', 'error', ...asByDefault);
  t.after(() => server.kill());
  const memory = new MemoryWatch(server);
  const client = new SignedClient(server.url, manager, 1);
  t.after(() => client.close());
  const users = Array.from({ length: count }, (_, index) => ({ username: `user-${index}`, ...fields }));
  assert.equal((await client.call('POST', '/users/batch', { users })).code, 0);
  return { server, memory, credentials: directory.credentials };
}

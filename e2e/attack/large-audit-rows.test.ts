import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { collectResult, spawnFieldroster } from '../fieldroster-command.ts';
import { openProvisioned, type Provisioned } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { issueManager } from './issue-manager.ts';
import { joinOperator } from './join-operator.ts';
import { LongestWait, restUnlessFull, wordsOf } from './longest-wait.ts';
import { forgetPeak, mebibyte, peakMemoryOf } from './process-memory.ts';

/** Returns as many store codes as a user may have, each as long as it may be. */
function codesOf(first: string, filling: string): string[] {
  return Array.from({ length: 50_000 }, (_, index) => `${first}${index}`.padEnd(100, filling));
}

/** The changes of a call that binds as many stores as a user may have: 5 MB. */
const bound = { stores: { added: codesOf('L', 'x') } };

/** The changes of a call that replaces them all, with codes in Chinese: 29 MB. */
const replaced = { stores: { added: codesOf('A', '店'), removed: codesOf('B', '店') } };

const username = 'mara';
const operation = 'batch-update-user-stores';
const rowsOf5Mb = atScale({ bounded: 30, full: 100 });
const rowsOf29Mb = 3;
const rowCount = rowsOf5Mb + rowsOf29Mb;
const grownBytesMax = 250 * mebibyte;

/** Callers of the first page, which has one row, at the same time. */
const callersAtOnce = 60;

/** SQLite maps its file, so the rows that were read count as memory of the process. */
const mappedBytes = rowsOf5Mb * bytesOf(bound) + rowsOf29Mb * bytesOf(replaced);

function bytesOf(changes: object): number {
  return Buffer.byteLength(JSON.stringify(changes));
}

describeOnEachEngine((provision, engine) => {
  test(`${rowsOf5Mb} audit rows of 5 MB and ${rowsOf29Mb} of 29 MB are listed in bounded memory, even to many callers at once, none goes missing, and they are erased in little memory`, async (t) => {
    const directory = await provision(1);
    await recordCalls(directory);
    const manager = await issueManager(directory);
    const server = await ServerProcess.start(directory);
    const waits = new LongestWait(server, restUnlessFull);
    const writer = new SignedClient(server.url, directory.credentials);
    const reader = new SignedClient(server.url, manager);
    const many = new SignedClient(server.url, directory.credentials, callersAtOnce);
    const allowed = grownBytesMax + (engine === 'SQLite' ? mappedBytes : 0);
    try {
      await waits.learnIdle();
      for (const [scope, client] of [
        ['write', writer],
        ['manage', reader],
      ] as const) {
        forgetPeak(server.pid);
        const usual = peakMemoryOf(server.pid);
        const listed = listRows(client);
        const longest = await waits.during(listed);
        const grown = peakMemoryOf(server.pid) - usual;
        t.diagnostic(
          `figure: ${engine}, scope ${scope}: ${Math.round(grown / mebibyte)} MiB more at the peak, ${wordsOf(longest)}`,
        );
        const { rows, pages } = await listed;
        assert.equal(rows, rowCount);
        assert.equal(pages, rowCount, 'each of them fills a page');
        assert.ok(grown < allowed, `${grown} bytes more`);
        if (fullScale) assert.ok(!waits.isTooLong(longest), `scope ${scope}: ${wordsOf(longest)}`);
      }
      forgetPeak(server.pid);
      const usual = peakMemoryOf(server.pid);
      const first = `limit=100&operation=${operation}`;
      const access = { role: 'viewer', allTenants: false, tenantIds: [1n] } as const;
      const viewer = await joinOperator(server, directory, access);
      const floods: readonly (readonly [string, () => Promise<Page>])[] = [
        ['callers', () => many.call('GET', `/audit?${first}`)],
        ['calls of a viewer', () => viewer.call('GET', `/tenants/1/events?${first}`) as Promise<Page>],
      ];
      for (const [callers, ask] of floods) {
        const pages = await Promise.all(Array.from({ length: callersAtOnce }, ask));
        assert.ok(pages.some(({ code }) => code === 0));
        for (const { code, data } of pages) if (code !== 1503) assert.equal(data?.events?.length, 1);
        const grown = peakMemoryOf(server.pid) - usual;
        t.diagnostic(
          `figure: ${engine}, ${callersAtOnce} ${callers}: ${Math.round(grown / mebibyte)} MiB more at the peak`,
        );
        assert.ok(grown < allowed, `${callersAtOnce} ${callers}: ${grown} bytes more`);
      }
      await eraseInLittleMemory(directory);
    } finally {
      for (const each of [waits, writer, reader, many]) each.close();
      await server.kill();
      await directory.remove();
    }
  });
});

interface Page {
  readonly code: number;
  readonly data?: { readonly events?: readonly unknown[] };
}

async function recordCalls(provisioned: Provisioned): Promise<void> {
  const { database } = await openProvisioned(provisioned);
  const tenant = await database.tenants.findTenant('default');
  const tenantId = tenant?.id ?? 0n;
  const userId = await database.write(tenantId, undefined, async (directory) => {
    const id = (await directory.insertUser(username, {})) ?? 0n;
    const audit = { operation: 'create-user', userId: id, changes: { username: { to: username } } };
    return { result: id, audit };
  });
  for (let row = 0; row < rowCount; row += 1) {
    const changes = row < rowsOf29Mb ? replaced : bound;
    await database.write(tenantId, undefined, async () => ({
      result: undefined,
      audit: { appId: provisioned.credentials.appId, operation, userId, changes },
    }));
  }
  await database.close();
}

/** Erases the user whom the rows are of. All of them together do not fit into the heap of the command. */
async function eraseInLittleMemory({ flags }: Provisioned): Promise<void> {
  const command = ['user', 'erase', '--user', username, '--yes', '--json', ...flags];
  const heap = { NODE_OPTIONS: '--max-old-space-size=160' };
  const { exitCode, stdout, stderr } = await collectResult(spawnFieldroster(command, heap));
  assert.equal(exitCode, 0, stderr);
  assert.equal(JSON.parse(stdout).audit_rows, rowCount + 1);
}

/** Counts the rows, page by page. */
async function listRows(client: SignedClient): Promise<{ rows: number; pages: number }> {
  let [rows, pages, cursor] = [0, 0, ''];
  do {
    const continued = cursor && `&cursor=${cursor}`;
    const target = `/audit?limit=100&operation=${operation}${continued}`;
    const { code, message, data } = await client.call('GET', target);
    assert.equal(code, 0, message);
    rows += (data?.events as unknown[] | undefined)?.length ?? 0;
    pages += 1;
    cursor = String(data?.next_cursor);
  } while (cursor !== '');
  return { rows, pages };
}

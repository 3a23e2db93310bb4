import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { expectFieldroster } from './fieldroster-command.ts';
import { type Provisioned, provisionDirectory, storeCodeOf, storeRow } from './provision-directory.ts';
import { findDamage } from './read-database.ts';
import { ServerProcess } from './server-process.ts';
import { SignedClient } from './signed-client.ts';

const storesImported = 100_000;
const writers = 8;

test(`while ${storesImported} stores are imported the server refuses no write`, async (t) => {
  const directory = await provisionDirectory(20);
  const server = await ServerProcess.start(directory);
  const client = new SignedClient(server.url, directory.credentials);
  try {
    const file = join(directory.folder, 'many.csv');
    await writeFile(file, manyStores());
    const writing = startWriters(directory, client);
    // Starts the import once the writers are at work.
    await writing.begun;
    const before = writing.written();
    await expectFieldroster('store', 'import', file, '--data', directory.data);
    const meanwhile = writing.written() - before;
    await writing.stop();
    assert.ok(meanwhile > writers, `only ${meanwhile} writes during the import`);
    const last = storeCodeOf(storesImported);
    const { code } = await client.call('POST', '/user/stores', { username: 'late', store_codes: [last] });
    assert.equal(code, 0, 'the running server knows the imported stores');
    assert.deepEqual(await findDamage(directory), []);
    t.diagnostic(`${meanwhile} writes accepted meanwhile`);
  } finally {
    client.close();
    await server.kill();
    await directory.remove();
  }
});

function manyStores(): string {
  const rows = Array.from({ length: storesImported }, (_, index) => storeRow(storeCodeOf(index + 1)));
  return `code,name,address\n${rows.join('\n')}\n`;
}

interface Writing {
  readonly begun: Promise<void>;
  /** Returns the number of writes accepted so far. */
  written(): number;
  /** Resolves once every writer has its last answer. */
  stop(): Promise<void>;
}

function startWriters({ storeCodes }: Provisioned, client: SignedClient): Writing {
  const begun = Promise.withResolvers<void>();
  let stopping = false;
  let written = 0;
  const write = async (writer: number) => {
    for (let count = 0; !stopping; count++) {
      const username = `writer-${writer}-${count % 50}`;
      const content = { username, real_name: String(count), store_codes: storeCodes.slice(0, count % 10) };
      const { code, message } = await client.call('POST', '/user/stores', content);
      assert.equal(code, 0, message);
      written += 1;
      if (written === writers) begun.resolve();
    }
  };
  const ended = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  const failed = ended.then(() => {});
  return {
    begun: Promise.race([begun.promise, failed]),
    written: () => written,
    stop: async () => {
      stopping = true;
      await ended;
    },
  };
}

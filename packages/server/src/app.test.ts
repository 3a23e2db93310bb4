import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overriding } from '../test/overriding.ts';
import { TestServer } from '../test/test-server.ts';
import type { Database } from './database/database.ts';

test('a start that fails ends what has started', async () => {
  let watches = 0;
  let opened: Database | undefined;
  const server = new TestServer({
    // The HTTP server, which is built last, takes no such path.
    settings: { basePath: 'without-a-slash' },
    wrapDatabase(database) {
      opened = database;
      const watch: Database['applications']['watch'] = async (onChange) => {
        watches += 1;
        const end = await database.applications.watch(onChange);
        return async () => {
          watches -= 1;
          await end();
        };
      };
      return overriding(database, { applications: overriding(database.applications, { watch }) });
    },
  });
  await assert.rejects(server.start(), /first character of a path/);
  assert.equal(watches, 0);
  await opened?.close();
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import pg from 'pg';
import { ConsoleBrowser, operatorPassword, owner } from '../../packages/server/test/console-browser.ts';
import { runSql } from '../../packages/server/test/test-postgres.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { openProvisioned, type Provisioned } from '../provision-directory.ts';
import { readRows } from '../read-database.ts';
import { ServerProcess } from '../server-process.ts';

const password = operatorPassword;

/** Keeps the audit from being written, and nothing else. Returns what ends that. */
async function holdAudit({ data, database }: Provisioned): Promise<() => Promise<void>> {
  if (database === undefined) {
    const holder = new DatabaseSync(join(data, 'fieldroster.db'), { timeout: 30_000 });
    holder.exec('begin immediate');
    return async () => holder.close();
  }
  const holder = new pg.Client({ connectionString: database });
  await holder.connect();
  await holder.query('begin; select id from operator for update');
  return () => holder.end();
}

/** Reads from the bookkeeping, which the embedded engine keeps in a file of its own. */
async function readBookkeeping({ data, database }: Provisioned, text: string) {
  if (database !== undefined) return runSql(database, text);
  using file = new DatabaseSync(join(data, 'fieldroster-bookkeeping.db'), { readOnly: true });
  return file.prepare(text).all();
}

function endsInAudit(place: Provisioned) {
  return readRows(place, "select operation, changes from operator_event where operation like 'end-%'");
}

describeOnEachEngine((provision) => {
  for (const [what, operation, path] of [
    ['one session', 'end-session', '/sessions/one'],
    ['all other sessions', 'end-other-sessions', '/sessions/others'],
  ] as const) {
    test(`the end of ${what} is in the audit once, although the server was killed before it could record it`, {
      timeout: 240_000,
    }, async (t) => {
      const place = await provision(1);
      t.after(() => place.remove());
      const directory = await openProvisioned(place);
      const first = await ServerProcess.start(place);
      t.after(() => first.kill());
      const { database } = directory;
      const browserAt = ({ port }: ServerProcess) =>
        new ConsoleBrowser({ port, nowMs: Date.now(), database });
      const page = browserAt(first);
      await page.join('ada', owner);
      const other = browserAt(first);
      await other.succeed('POST', '/session', { username: 'ada', password });
      const { sessions } = (await page.succeed('GET', '/sessions')).data;
      const id = sessions.find(({ current }) => !current)?.id;

      const release = await holdAudit(place);
      const cut = assert.rejects(
        page.call('DELETE', path, operation === 'end-session' ? { id, password } : { password }),
      );
      await first.until(
        async () => (await readBookkeeping(place, 'select * from operator_session')).length === 1,
      );
      await first.kill();
      await cut;
      await release();
      assert.deepEqual(await endsInAudit(place), []);

      const second = await ServerProcess.start(place);
      t.after(() => second.kill());
      await second.until(
        async () => (await readBookkeeping(place, 'select * from session_end')).length === 0,
      );
      const [row, ...more] = await endsInAudit(place);
      assert.deepEqual([row?.operation, more], [operation, []]);
      const signedOut = browserAt(second);
      signedOut.cookie = other.cookie;
      assert.equal((await signedOut.call('GET', '/session')).code, 1601);
      assert.equal(await second.stop(), 0);
      await database.close();
      const third = await ServerProcess.start(place);
      assert.equal(await third.stop(), 0);
      assert.equal((await endsInAudit(place)).length, 1, 'no restart records it again');
    });
  }
});

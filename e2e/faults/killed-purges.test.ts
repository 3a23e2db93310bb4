import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runSql } from '../../packages/server/test/test-postgres.ts';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import type { Provisioned } from '../provision-directory.ts';
import { countSignedWrites, findDamage, readRows, untilAlone } from '../read-database.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { WriteLoad } from '../write-load.ts';
import { sendUntilKilled, settleUnanswered } from './unanswered-writes.ts';

const kills = atScale({ bounded: 2, full: 40 });
/** Not a multiple of what the server purges at once, so that the last part of a purge has room for younger rows. */
const rowsOfEachKill = atScale({ bounded: 10_101, full: 20_101 });
const killedWithinMs = atScale({ bounded: 800, full: 1_500 });
const writers = 8;

const dayMs = 86_400_000;
const flags = ['--audit-keep', '1'];

describeOnEachEngine((provision, engine) => {
  test(`after kill -9 during purges of the audit, only rows older than the limit are gone, every acknowledged write exists, replays are refused, and the purge goes on (${kills} kills)`, async (t) => {
    const random = SeededRandom.ofRun();
    const directory = await provision();
    const load = new WriteLoad(directory, random);
    const audit = new OldAudit(directory);
    let unanswered = 0;
    let amidPurge = 0;
    let server = await ServerProcess.start(directory);
    await server.stop();
    try {
      for (let kill = 0; kill < kills; kill++) {
        const firstOfRound = load.users.length;
        await audit.add(rowsOfEachKill);
        await audit.letAMinutePass();
        server = await ServerProcess.start(directory, ...flags);
        await killAmidPurge(server, directory, { load, audit, random, mark: `${kill}` });
        await untilAlone(directory);
        if ((await audit.verify()) > 0) amidPurge += 1;
        // A server without the flag purges nothing while the writes are counted.
        server = await ServerProcess.start(directory);
        const reader = new SignedClient(server.url, directory.credentials);
        const touched = load.users.slice(firstOfRound);
        unanswered += touched.filter((user) => user.unanswered !== undefined).length;
        await load.verifyReplays(reader);
        await load.verifyShared(reader);
        unanswered += await load.settleShared(reader);
        await settleUnanswered(touched, reader);
        await load.verifyUsers(reader, touched);
        assert.equal(
          await countSignedWrites(directory),
          load.acknowledged + unanswered,
          'one audit row each',
        );
        if (engine === 'SQLite') assert.deepEqual(await findDamage(directory), []);
        reader.close();
        assert.equal(await server.stop(), 0);
      }
      assert.ok(amidPurge > 0, 'no kill hit a purge: the test has shown nothing');
      // At full size, the next server waits the minute itself.
      if (!fullScale) await audit.letAMinutePass();
      await audit.add(rowsOfEachKill);
      server = await ServerProcess.start(directory, ...flags);
      const client = new SignedClient(server.url, directory.credentials);
      await server.until(() => server.output.includes('old audit rows were purged'));
      assert.equal(await audit.verify(), 0);
      await load.verifyUsers(client);
      client.close();
      assert.equal(await countSignedWrites(directory), load.acknowledged + unanswered);
      assert.equal(await server.stop(), 0);
    } catch (error) {
      t.diagnostic(`seed ${random.seed}`);
      throw error;
    } finally {
      await server.kill();
      await directory.remove();
    }
    t.diagnostic(
      `figure: ${kills} kills, ${amidPurge} amid a purge of ${audit.old} rows in all; of ${load.acknowledged} ` +
        `acknowledged writes and ${audit.kept} younger rows 0 lost; ${unanswered} writes in flight at a kill`,
    );
  });
});

interface Killed {
  readonly load: WriteLoad;
  readonly audit: OldAudit;
  readonly random: SeededRandom;
  readonly mark: string;
}

/** Writes until the server has purged rows and a random time has passed, and kills the server. */
async function killAmidPurge(
  server: ServerProcess,
  directory: Provisioned,
  { load, audit, random, mark }: Killed,
): Promise<void> {
  const client = new SignedClient(server.url, directory.credentials, writers);
  load.lastAcknowledged.clear();
  const writing = Array.from({ length: writers }, (_, writer) =>
    load.runWriter({
      writer,
      mark: `${mark}-${writer}`,
      send: (call) => sendUntilKilled(client, call),
    }),
  );
  const left = await audit.countOld();
  await server.until(async () => (await audit.countOld()) < left && load.lastAcknowledged.size > 0);
  await delay(random.next() * killedWithinMs);
  await server.kill();
  await Promise.all(writing);
  client.close();
}

/** Audit rows that a purge with a limit of one day deletes, with younger rows between them. */
class OldAudit {
  old = 0;
  kept = 0;
  readonly #directory: Provisioned;
  readonly #oldestMs = Date.now() - 2 * dayMs;
  /** Younger than the limit for as long as the test may run. */
  readonly #keptMs = Date.now() - dayMs / 2;

  constructor(directory: Provisioned) {
    this.#directory = directory;
  }

  async add(count: number): Promise<void> {
    await this.#run(
      `with recursive row (number) as
         (select cast(${this.old} as bigint) union all select number + 1 from row where number + 1 < ${this.old + count})
       insert into audit_event (tenant_id, at, operation, changes)
         select 1, number + case kind when 'long ago' then ${this.#oldestMs} else ${this.#keptMs} end, kind, '{}'
         from row cross join (select 'long ago' as kind union all select 'kept') as kinds
         where kind = 'long ago' or number % 10 = 0
         order by number`,
    );
    this.old += count;
    this.kept = Math.ceil(this.old / 10);
  }

  /** A server purges only if no process has for a minute. */
  async letAMinutePass(): Promise<void> {
    await this.#run("update counter set value = value - 60000 where name = 'audit_purged_at'");
  }

  async countOld(): Promise<number> {
    const [row] = await readRows(
      this.#directory,
      "select count(*) as rows from audit_event where operation = 'long ago'",
    );
    return Number(row?.rows);
  }

  /** Asserts that the purge took the oldest rows first, and no row that is young enough. Returns how many old ones are left. */
  async verify(): Promise<number> {
    const [row] = await readRows(
      this.#directory,
      `select count(case operation when 'kept' then 1 end) as kept, count(case operation when 'long ago' then 1 end) as old,
         min(case operation when 'long ago' then at end) as oldest, max(case operation when 'long ago' then at end) as youngest
       from audit_event`,
    );
    assert.equal(Number(row?.kept), this.kept, 'rows younger than the limit');
    const left = Number(row?.old);
    if (left === 0) return 0;
    assert.equal(Number(row?.youngest), this.#oldestMs + this.old - 1);
    assert.equal(Number(row?.oldest), this.#oldestMs + this.old - left, 'the oldest rows are purged first');
    return left;
  }

  async #run(text: string): Promise<void> {
    if (this.#directory.database !== undefined) {
      await runSql(this.#directory.database, text, []);
      return;
    }
    using database = new DatabaseSync(join(this.#directory.data, 'fieldroster.db'), { timeout: 30_000 });
    database.exec(text);
  }
}

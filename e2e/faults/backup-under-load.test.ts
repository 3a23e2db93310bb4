import assert from 'node:assert/strict';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openTestPostgres, type TestPostgres } from '../../packages/server/test/test-postgres.ts';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { expectFieldroster } from '../fieldroster-command.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { readRows } from '../read-database.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';

/** The rate of the load in writes per second, and how many writes precede the backup. */
const { rate, writesBefore } = atScale({
  bounded: { rate: 200, writesBefore: 300 },
  full: { rate: 500, writesBefore: 5_000 },
});

const writers = 16;
const usernames = Array.from({ length: 40 }, (_, index) => `user-${index}`);

let postgres: TestPostgres;

before(async () => {
  postgres = await openTestPostgres();
});

after(() => postgres.stop());

interface DirectoryLocation {
  readonly data: string;
  readonly database: string | undefined;
  readonly flags: readonly string[];
}

const engines = ['SQLite', 'PostgreSQL'] as const;

for (const from of engines) {
  test(`a backup of ${from} under ${rate} writes a second restores on both engines to exactly the state of its moment`, async (t) => {
    const database = from === 'SQLite' ? undefined : await postgres.createDatabase();
    const directory = await provisionDirectory(50, database);
    const server = await ServerProcess.start(directory);
    const client = new SignedClient(server.url, directory.credentials, writers);
    const load = new Load(client, directory);
    const file = join(directory.folder, 'under-load.backup');
    const written = load.run();
    while (load.acknowledged < writesBefore) await load.nextAnswer();
    const acknowledgedBefore = load.acknowledged;
    const startedMs = performance.now();
    await expectFieldroster('backup', '--to', file, ...directory.flags);
    const seconds = (performance.now() - startedMs) / 1000;
    const during = load.acknowledged - acknowledgedBefore;
    load.stop();
    await written;
    client.close();
    await server.stop();
    assert.ok(during > 0, 'writes went on during the backup');

    for (const to of engines) {
      const target = await newTarget(directory, to);
      await expectFieldroster('restore', '--from', file, ...target.flags);
      const replayed = await requireReplayed(target);
      const writesOf = (location: DirectoryLocation) => readAudit(location).then((rows) => rows.length);
      const [inBackup, inSource] = [await writesOf(target), await writesOf(directory)];
      assert.ok(inBackup >= acknowledgedBefore, 'what was acknowledged before it began is in it');
      assert.ok(inBackup <= inSource);
      assert.deepEqual(
        (await readAudit(directory)).filter(({ id }) => replayed.ids.has(id)),
        await readAudit(target),
        'its audit rows are those of the source',
      );
      t.diagnostic(
        `figure: ${from} to ${to}: ${inBackup} of ${inSource} writes in the backup; ${during} acknowledged in the ${seconds.toFixed(1)} s that it took`,
      );
    }
    await directory.remove();
  });
}

async function newTarget(
  { folder, data }: Provisioned,
  engine: (typeof engines)[number],
): Promise<DirectoryLocation> {
  const target = join(folder, `restored-${engine}`);
  mkdirSync(target);
  cpSync(join(data, 'master.key'), join(target, 'master.key'));
  const database = engine === 'SQLite' ? undefined : await postgres.createDatabase();
  const flags = ['--data', target, ...(database === undefined ? [] : ['--database', database])];
  return { data: target, database, flags };
}

interface AuditRow {
  readonly id: bigint;
  readonly user_id: bigint;
  readonly changes: string;
}

async function readAudit(location: DirectoryLocation): Promise<AuditRow[]> {
  const rows = await readRows(
    location,
    'select id, user_id, changes from audit_event where app_id is not null order by id',
  );
  return rows.map(({ id, user_id, changes }) => ({
    id: BigInt(id as string),
    user_id: BigInt(user_id as string),
    changes: String(changes),
  }));
}

interface Changes {
  readonly username?: { readonly to: string };
  readonly real_name?: { readonly from?: string; readonly to: string };
  readonly stores?: { readonly added?: readonly string[]; readonly removed?: readonly string[] };
}

/** Replays the audit rows of a database from nothing, and compares the result with its other tables. */
async function requireReplayed(location: DirectoryLocation): Promise<{ readonly ids: ReadonlySet<bigint> }> {
  const states = new Map<bigint, { name: string; stores: Set<string> }>();
  const audit = await readAudit(location);
  for (const { user_id, changes } of audit) {
    const { real_name, stores } = JSON.parse(changes) as Changes;
    const state = states.get(user_id) ?? { name: '', stores: new Set() };
    assert.equal(real_name?.from ?? '', state.name, `${changes} follows the state before it`);
    if (real_name !== undefined) state.name = real_name.to;
    for (const code of stores?.removed ?? []) assert.ok(state.stores.delete(code), changes);
    for (const code of stores?.added ?? []) state.stores.add(code);
    states.set(user_id, state);
  }
  const users = await readRows(location, 'select id, real_name from "user"');
  const bound = await readRows(location, 'select user_id, store_code from user_store order by store_code');
  const found = users.map(({ id, real_name }) => [
    BigInt(id as string),
    {
      name: real_name,
      stores: bound
        .filter(({ user_id }) => BigInt(user_id as string) === BigInt(id as string))
        .map(({ store_code }) => store_code),
    },
  ]);
  const replayed = [...states].map(([id, { name, stores }]) => [id, { name, stores: [...stores].sort() }]);
  assert.deepEqual(new Map(found as never), new Map(replayed as never));
  return { ids: new Set(audit.map(({ id }) => id)) };
}

/** Writes batches of shared users at a steady rate, each to a state that its user never had. */
class Load {
  acknowledged = 0;
  readonly #client: SignedClient;
  readonly #storeCodes: readonly string[];
  readonly #random = SeededRandom.ofRun();
  readonly #startedMs = performance.now();
  #sent = 0;
  #stopped = false;
  #answered = Promise.withResolvers<void>();

  constructor(client: SignedClient, { storeCodes }: Provisioned) {
    this.#client = client;
    this.#storeCodes = storeCodes;
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: writers }, () => this.#write()));
  }

  stop(): void {
    this.#stopped = true;
  }

  nextAnswer(): Promise<void> {
    return this.#answered.promise;
  }

  async #write(): Promise<void> {
    while (!this.#stopped) {
      const number = this.#sent++;
      const dueMs = this.#startedMs + (number / rate) * 1000;
      while (performance.now() < dueMs) await new Promise((resolve) => setTimeout(resolve, 1));
      const store_codes = this.#storeCodes.filter(() => this.#random.chance(0.1));
      const content = { username: this.#random.pick(usernames), real_name: `state ${number}`, store_codes };
      const { code, message } = await this.#client.call('POST', '/user/stores', content);
      assert.equal(code, 0, message);
      this.acknowledged += 1;
      this.#answered.resolve();
      this.#answered = Promise.withResolvers<void>();
    }
  }
}

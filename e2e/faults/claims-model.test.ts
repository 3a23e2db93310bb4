import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../packages/server/src/database/database.ts';
import { openPostgresDatabase } from '../../packages/server/src/database/postgres/open.ts';
import { openSqliteDatabase } from '../../packages/server/src/database/sqlite/open.ts';
import {
  openTestPostgres,
  patient,
  runSql,
  type TestPostgres,
} from '../../packages/server/test/test-postgres.ts';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { readRows } from '../read-database.ts';
import { SeededRandom } from '../seeded-random.ts';
import type { WorkerOptions, WorkerReport } from './claims-worker.ts';

/**
 * Several processes send the same signed writes to one real database again and again, while clocks jump, purges pause
 * inside their transactions, and processes are stopped and killed. The database records how often each write
 * was applied.
 */

interface Size {
  readonly steps: number;
  readonly processes: number;
  readonly concurrency: number;
  readonly requestsPerSecond: number;
}

const processes = atScale({ bounded: 2, full: 4 });

describe('on SQLite', () => {
  const size: Size = {
    steps: atScale({ bounded: 2_000, full: 1_000_000 }),
    processes,
    concurrency: 64,
    requestsPerSecond: 8,
  };
  for (const clocks of ['wild', 'sane'] as const) {
    // Most of the steps run with wild clocks.
    const share = { ...size, steps: clocks === 'wild' ? size.steps : size.steps / 5 };
    test(titleOf(clocks), async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'fieldroster-claims-'));
      try {
        const database = await openSqliteDatabase({ folder });
        const place = { data: folder, database: undefined };
        await runModel(t, { database, place, options: { folder } }, clocks, share);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});

describe('on PostgreSQL', () => {
  let postgres: TestPostgres;
  before(async () => {
    postgres = await openTestPostgres({ durable: false });
  });
  after(() => postgres.stop());
  const size: Size = {
    steps: atScale({ bounded: 400, full: 100_000 }),
    processes,
    // Eight connections in total.
    concurrency: 8 / processes,
    requestsPerSecond: 2,
  };
  for (const clocks of ['wild', 'sane'] as const) {
    const share = { ...size, steps: clocks === 'wild' ? size.steps : size.steps / 5 };
    test(titleOf(clocks), async (t) => {
      const url = await postgres.createMigratedDatabase();
      const database = await openPostgresDatabase({ ...patient, url });
      await pausePurges(url);
      await runModel(t, { database, place: { data: '', database: url }, options: { url } }, clocks, share);
    });
  }
});

function titleOf(clocks: WorkerOptions['clocks']): string {
  return clocks === 'wild'
    ? 'no signed write is applied twice, even with wrong clocks'
    : 'no signed write is applied twice or refused while the clocks are as they should be';
}

/** Half of the purges pause after they have deleted, for the duration of some writes. */
async function pausePurges(url: string): Promise<void> {
  await runSql(
    url,
    `create function pause_purge() returns trigger language plpgsql as $$ begin
      if random() < 0.5 then perform pg_sleep(random() * 0.08); end if; return null; end $$`,
  );
  await runSql(
    url,
    `create trigger pause_purge after delete on accepted_write
      for each statement execute function pause_purge()`,
  );
}

interface ModelledDatabase {
  readonly database: Database;
  readonly place: { readonly data: string; readonly database: string | undefined };
  readonly options: WorkerOptions['place'];
}

async function runModel(
  t: TestContext,
  { database, place, options }: ModelledDatabase,
  clocks: WorkerOptions['clocks'],
  size: Size,
): Promise<void> {
  const random = SeededRandom.ofRun();
  const tenant = await database.tenants.insertTenant('model');
  await database.close();
  assert(tenant !== undefined);
  const model = new Model(
    {
      place: options,
      tenantId: String(tenant.id),
      concurrency: size.concurrency,
      requestsPerSecond: size.requestsPerSecond,
      speed: 100,
      clocks,
      startedAtMs: Date.now(),
    },
    random,
  );
  try {
    await model.run(size.steps, size.processes);
  } finally {
    await model.stop();
    t.diagnostic(`seed ${random.seed}`);
  }
  const [{ writes, twice } = {}] = await readRows(
    place,
    `select count(*) as writes, count(case when times > 1 then 1 end) as twice
      from (select count(*) as times from audit_event where operation = 'model' group by app_id) as requests`,
  );
  const { steps, applied, repeated, refused, refusedInTime, busy, purges, purged } = model.total;
  t.diagnostic(
    `figure: ${steps} steps: ${applied} applied, ${repeated} replays answered 1015, ${refused} refused with 1012, ` +
      `${busy} busy; ${purges} purges of ${purged} claims; ${model.kills} kills, ${model.pauses} pauses`,
  );
  t.diagnostic(`figure: accepted twice: ${twice}`);
  assert.equal(Number(twice), 0);
  assert.ok(Number(writes) >= applied, 'every acknowledged write is there');
  assert.ok(applied > 0 && repeated > 0 && purged > 0, 'the model did all that it is about');
  if (clocks === 'wild') return;
  t.diagnostic(`figure: refused with sane clocks: ${refusedInTime}`);
  assert.equal(refusedInTime, 0);
}

const workerPath = join(import.meta.dirname, 'claims-worker.ts');

class Model {
  readonly total: WorkerReport = {
    steps: 0,
    applied: 0,
    repeated: 0,
    refused: 0,
    refusedInTime: 0,
    busy: 0,
    purges: 0,
    purged: 0,
  };
  kills = 0;
  pauses = 0;
  readonly #options: Omit<WorkerOptions, 'seed' | 'baseSeconds'>;
  readonly #random: SeededRandom;
  readonly #workers: ChildProcess[] = [];
  readonly #failures: string[] = [];
  #baseSeconds = 1_000_000;
  #lastLook = { steps: 0, refused: 0 };

  constructor(options: Omit<WorkerOptions, 'seed' | 'baseSeconds'>, random: SeededRandom) {
    this.#options = options;
    this.#random = random;
  }

  async run(steps: number, processes: number): Promise<void> {
    for (let index = 0; index < processes; index++) this.#start(index);
    const stages = atScale({ bounded: 2, full: 60 });
    const { total } = this;
    const lacks = () => total.purged === 0 || total.repeated === 0 || total.applied === 0;
    for (let stage = 1; total.steps < steps || lacks(); ) {
      await delay(this.#random.integer(20, 100));
      assert.deepEqual(this.#failures, []);
      if (this.#random.chance(0.5)) await this.#pause();
      if (this.#options.clocks === 'wild' && this.#refusesMost()) this.#letTimePass();
      // A process killed after the last step would be started for nothing.
      if (this.total.steps < (steps * stage) / stages || this.total.steps >= steps) continue;
      stage += 1;
      await this.#kill(this.#random.integer(0, processes - 1));
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#workers.map(end));
  }

  #start(index: number): void {
    const seed = this.#random.integer(1, 2 ** 31);
    const options: WorkerOptions = { ...this.#options, seed, baseSeconds: this.#baseSeconds };
    const worker = fork(workerPath, [JSON.stringify(options)], {
      execArgv: ['--conditions=fieldroster-source'],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    let printed = '';
    worker.stderr?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    worker.on('message', (report: WorkerReport) => this.#add(report));
    worker.on('exit', (code) => {
      if (code !== null && code !== 0) this.#failures.push(printed);
    });
    this.#workers[index] = worker;
  }

  #add(report: WorkerReport): void {
    for (const key of Object.keys(report) as (keyof WorkerReport)[]) this.total[key] += report[key];
  }

  async #kill(index: number): Promise<void> {
    const worker = this.#workers[index];
    if (worker !== undefined) await end(worker);
    this.kills += 1;
    this.#start(index);
  }

  /** Stops a process anywhere, even in the middle of a purge's transaction. */
  async #pause(): Promise<void> {
    const worker = this.#random.pick(this.#workers);
    worker.kill('SIGSTOP');
    await delay(this.#random.integer(1, 60));
    worker.kill('SIGCONT');
    this.pauses += 1;
  }

  /** Returns whether most of the writes since the last look were refused with 1012. */
  #refusesMost(): boolean {
    const { steps, refused } = this.total;
    const last = this.#lastLook;
    if (steps - last.steps < 100) return false;
    this.#lastLook = { steps, refused };
    return refused - last.refused > (steps - last.steps) / 2;
  }

  /**
   * Sets all clocks forward, so that writes are accepted again. After a process whose clock ran ahead has purged
   * claims, writes are refused until the other clocks reach its time.
   */
  #letTimePass(): void {
    this.#baseSeconds += 4_000;
    for (const worker of this.#workers) if (worker.connected) worker.send({ baseSeconds: this.#baseSeconds });
  }
}

async function end(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
}

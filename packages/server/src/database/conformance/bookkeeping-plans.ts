import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { ApplicationRecord } from '../database.ts';
import { BackgroundWriter } from '../queries/bookkeeping/background-writer.ts';
import type { BookkeepingTables } from '../queries/bookkeeping/bookkeeping-tables.ts';
import { KyselyCallRecords } from '../queries/bookkeeping/call-records.ts';
import { SecretUses } from '../queries/bookkeeping/secret-uses.ts';
import type { Schema } from '../queries/schema.ts';
import type { Session } from '../queries/session.ts';

/** A statement that a session ran. */
export interface LoggedStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

const [failures, minutes, secrets] = [20_000, 20_000, 20_000];

const application: ApplicationRecord = {
  appId: 'app',
  tenantId: 1n,
  tenantName: 'Harbour',
  name: 'App',
  status: 'active',
  scope: 'read',
  createdAtMs: 0,
  allowedAddresses: [],
  secrets: [{ id: 77n, sealed: new Uint8Array(), createdAtMs: 0 }],
};

/** Fills the tables of calls and of secrets with enough rows to make an index worthwhile. */
export async function fillBookkeeping(db: Kysely<Schema>): Promise<void> {
  const numbers = (count: number) =>
    sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})`;
  const counts = sql`0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0 from n`;
  for (const table of ['call_summary', 'call_hour'] as const) {
    await sql`${numbers(minutes)} insert into ${sql.table(table)} select i * 60000, 'app', 'query-user', ${counts}`.execute(
      db,
    );
  }
  await sql`${numbers(failures)} insert into failed_call
    (request_id, at, verified, code, message, duration_us, method, target)
    select 'request-' || i, i * 1000, i % 2, 1101, 'no user has this id', 1, 'GET', '/user' from n`.execute(
    db,
  );
  await sql`${numbers(secrets)} insert into secret_use (secret_id, last_used_at) select i, i from n`.execute(
    db,
  );
}

/** Runs what the commands and the purge ask the tables of calls, and what an application's page asks about secrets. */
export async function askBookkeeping(session: Session): Promise<void> {
  const tables: BookkeepingTables = { read: (work) => work(session), write: (work) => work(session) };
  const writer = new BackgroundWriter(tables, { intervalMs: 3_600_000 });
  const calls = new KyselyCallRecords(tables, writer, async () => 60_001);
  const recentMs = minutes * 60_000 - 30 * 60_000;
  await calls.totals({ sinceMs: recentMs });
  await calls.totals({ sinceMs: recentMs, failedOnly: true });
  await calls.totals({ sinceMs: recentMs, appIds: ['app'] });
  await calls.totals({ sinceMs: recentMs, operation: 'query-user', code: 1101 }, true);
  for (const per of ['minute', 'hour'] as const) {
    await calls.history({ sinceMs: recentMs, per, appIds: ['app'] });
  }
  await calls.listFailuresBack({ filters: { appIds: [], knownAppIds: ['app'] }, limit: 10 });
  const [sinceMs, untilMs] = [BigInt(failures - 900) * 1000n, BigInt(failures - 700) * 1000n];
  for (const time of [{ sinceMs }, { untilMs }, { sinceMs, untilMs }]) {
    await calls.listFailuresBack({ filters: { appIds: [], knownAppIds: ['app'], ...time }, limit: 10 });
  }
  await calls.findFailure('request-77');
  await calls.listFailures({ atMs: (failures - 10) * 1000, requestId: '' }, 10);
  await calls.countUnkept(recentMs);
  // Deletes the few oldest rows.
  const times = { nowMs: 60_001, latestMs: (failures + minutes) * 60_000 };
  await calls.purge(times, { summariesMs: 60_000, failuresMs: 60_000, failuresMax: 9_950 });
  await new SecretUses(tables, writer).addTo([application]);
  await writer.flush();
}

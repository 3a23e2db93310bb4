import { sql } from 'kysely';
import { type Faults, faultsCountedMax, type Inspection, type SchemaState } from '../../database.ts';
import { pendingMigrations, SchemaError, unknownMigrations } from '../../migrations/migrate.ts';
import { readLastGood } from '../backups/backup-state.ts';
import type { Session } from '../session.ts';
import { KyselyKeys } from '../settings/keys.ts';
import { findFirstTenant } from '../tenants/tenants.ts';
import { findClaimsWithoutAudit } from './claims-without-audit.ts';
import { faultsOf } from './faults.ts';
import { selectProcessClocks } from './process-clocks.ts';

type SharedInspection = Pick<
  Inspection,
  | 'keys'
  | 'processClocks'
  | 'newestChangeMs'
  | 'purgedThroughSeconds'
  | 'lastGoodBackup'
  | 'firstTenant'
  | 'schema'
  | 'limitsApplications'
  | 'findOrgCycles'
  | 'findClaimsWithoutAudit'
>;

/**
 * Makes the part of an inspection that is the same on both engines.
 *
 * @param timeMs reads the clock that dates the reports of processes
 */
export function inspectTables(session: Session, timeMs: () => Promise<number>): SharedInspection {
  const refuse = () => Promise.reject(new TypeError('an inspection changes nothing'));
  return {
    keys: new KyselyKeys({ session, transact: refuse, timeMs, clockDifferenceMs: () => undefined }),
    processClocks: () => selectProcessClocks(session),
    newestChangeMs: () => newestChangeMs(session),
    purgedThroughSeconds: () => purgedThroughSeconds(session),
    lastGoodBackup: () => readLastGood(session),
    firstTenant: () => findFirstTenant(session),
    schema: () => readSchemaState(session),
    limitsApplications: () => limitsApplications(session),
    findOrgCycles: () => findOrgCycles(session),
    findClaimsWithoutAudit: () => findClaimsWithoutAudit(session),
  };
}

async function readSchemaState(session: Session): Promise<SchemaState> {
  const newer = await unknownMigrations(session);
  try {
    return { newer, pending: await pendingMigrations(session), servable: true };
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return { newer, pending: [], servable: false };
  }
}

/** Returns whether the tables are exactly those of this release, as its migrations leave them. */
export async function isOfThisRelease({ schema }: Pick<Inspection, 'schema'>): Promise<boolean> {
  const { pending, newer } = await schema();
  return pending.length === 0 && newer.length === 0;
}

async function limitsApplications({ db }: Session): Promise<boolean> {
  const row = await db
    .selectFrom('application')
    .select('app_id')
    .where('rate_limit', '>', 0n)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function newestChangeMs({ db }: Session): Promise<number | undefined> {
  const tenants = await db.selectFrom('tenant').select('id').execute();
  let newest: number | undefined;
  for (const { id } of tenants) {
    const row = await db
      .selectFrom('audit_event')
      .select('at')
      .where('tenant_id', '=', id)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) newest = Math.max(newest ?? 0, Number(row.at));
  }
  return newest;
}

async function purgedThroughSeconds({ db }: Session): Promise<number> {
  const row = await db
    .selectFrom('counter')
    .select('value')
    .where('name', '=', 'purged_through')
    .executeTakeFirst();
  return Number(row?.value ?? 0n);
}

/** Reads the tree from its roots. Organizations that it does not reach are in a cycle or below one. */
async function findOrgCycles({ db }: Session): Promise<Faults> {
  const { rows } = await sql<{ tenant_id: bigint; id: bigint }>`
    with recursive reached (tenant_id, id) as (
      select tenant_id, id from org as root where parent_id is null or not exists (
        select 1 from org as parent where parent.tenant_id = root.tenant_id and parent.id = root.parent_id)
      union all
      select org.tenant_id, org.id from org join reached
        on org.tenant_id = reached.tenant_id and org.parent_id = reached.id)
    select tenant_id, id from org except select tenant_id, id from reached limit ${faultsCountedMax}`.execute(
    db,
  );
  return faultsOf(rows.map(({ tenant_id, id }) => `organization ${id} of tenant ${tenant_id}`));
}

import { sql } from 'kysely';
import type { Faults } from '../../database.ts';
import { userSearchIndex } from '../../migrations/steps/postgres-user-search.ts';
import { faultsOf, noFaults } from '../../queries/inspection/faults.ts';
import type { Session } from '../../queries/session.ts';

/** Every table, sequence and index of this release, except the index of the search, which may be missing. */
export const relationNames = namesIn(`
  accepted_nonce accepted_write application application_secret audit_event backup_state call_hour call_summary
  counter entry_count erasure failed_call key_holder kysely_migration kysely_migration_lock operator
  operator_event operator_link operator_session operator_tenant org password_failure rate_report role
  secret_use session_end setting store tenant unkept_failure user user_change user_org user_role user_store
  application_secret_id_seq audit_event_id_seq operator_event_id_seq operator_id_seq tenant_id_seq user_id_seq
  accepted_nonce_by_time accepted_nonce_pk accepted_write_pk application_pkey application_secret_pkey
  audit_event_by_tenant audit_event_by_user audit_event_pkey backup_state_pkey call_hour_pk call_summary_pk
  counter_pkey entry_count_pk erasure_pk failed_call_by_caller failed_call_by_time failed_call_pkey
  key_holder_pkey kysely_migration_lock_pkey kysely_migration_pkey operator_event_by_time operator_event_pkey
  operator_link_pkey operator_pkey operator_session_by_operator operator_session_pkey operator_tenant_pk
  operator_username_key org_by_parent org_pk password_failure_by_end password_failure_pkey rate_report_pkey
  role_pk secret_use_pkey session_end_pkey setting_pkey store_pk tenant_name_key tenant_pkey unkept_failure_pkey
  user_by_department user_change_pk user_disabled user_org_by_org user_org_pk user_pk user_role_by_role
  user_role_pk user_store_by_store user_store_pk user_username_unique user_without_org user_without_role
  user_without_store
`);

/** Every reference that PostgreSQL enforces. */
export const referenceNames = namesIn(`
  application_secret_app_id_fkey application_tenant_id_fkey audit_event_tenant_id_fkey
  operator_link_operator_id_fkey operator_tenant_operator_id_fkey operator_tenant_tenant_id_fkey org_tenant_fk
  role_tenant_fk store_tenant_fk user_org_org_fk user_org_user_fk user_role_role_fk user_role_user_fk
  user_store_store_fk user_store_user_fk user_tenant_fk
`);

/** Finds what an interrupted restore leaves out: keys, indexes and references come after the rows. */
export async function findMissingParts({ db }: Session): Promise<Faults> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${relationNames}::text[]) as name where to_regclass(name) is null
    union all
    select name from unnest(${referenceNames}::text[]) as name
    where not exists (select 1 from pg_constraint where contype = 'f' and conname = name)
    union all
    select 'purged_through()' where to_regproc('purged_through') is null`.execute(db);
  return faultsOf(rows.map(({ name }) => name));
}

/** Finds tables of which this user lacks a right, or row security hides rows from it. */
export async function findClosedTables({ db }: Session): Promise<Faults> {
  const { rows } = await sql<{ fault: string }>`
    with own as (select oid, relname as name from pg_class
      where relkind = 'r' and oid in (select to_regclass(quote_ident(name)) from unnest(${relationNames}::text[]) as name))
    select current_user || ' may not ' || string_agg(privilege, ', ' order by position) || ' ' || name as fault
    from own cross join unnest(${['select', 'insert', 'update', 'delete']}::text[]) with ordinality as wanted (privilege, position)
    where not has_table_privilege(oid, privilege) group by name
    union all
    select 'row security hides rows of ' || name || ' from ' || current_user from own where row_security_active(oid)
    order by fault`.execute(db);
  return faultsOf(rows.map(({ fault }) => fault));
}

/** Finds whether the index of the search is missing. Searches then read rows instead. */
export async function findSearchFaults({ db }: Session): Promise<Faults> {
  const { rows } = await sql<{ missing: boolean }>`
    select to_regclass(${userSearchIndex}) is null as missing`.execute(db);
  return rows[0]?.missing === true ? faultsOf([`the index ${userSearchIndex} is missing`]) : noFaults;
}

function namesIn(text: string): string[] {
  return text
    .split(' ')
    .flatMap((part) => part.split('\n'))
    .filter((name) => name !== '');
}

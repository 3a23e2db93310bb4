/** Columns of a table that refer to columns of another table. */
export interface Reference {
  readonly table: string;
  /** The primary key, by which the table is read in pages. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
  /** True for rows that only record something: nothing fails because of them. */
  readonly isRecord?: boolean;
}

const toUser = { target: 'user', targetColumns: ['tenant_id', 'id'] } as const;
const toTenant = { columns: ['tenant_id'], target: 'tenant', targetColumns: ['id'] } as const;
const toOperator = { target: 'operator', targetColumns: ['id'] } as const;
const ofUserRole = { table: 'user_role', key: ['tenant_id', 'user_id'] } as const;
const ofUserOrg = { table: 'user_org', key: ['tenant_id', 'user_id'] } as const;
const ofUserStore = { table: 'user_store', key: ['tenant_id', 'user_id', 'store_code'] } as const;
const ofOrg = { table: 'org', key: ['tenant_id', 'id'] } as const;
const ofOperatorTenant = { table: 'operator_tenant', key: ['operator_id', 'tenant_id'] } as const;
const ofOperatorLink = { table: 'operator_link', key: ['token_hash'] } as const;

/**
 * References within the directory. Left out: users and applications in the audit trail,
 * which outlives them, and claims, which live for minutes.
 */
export const directoryReferences: readonly Reference[] = [
  { ...ofUserRole, columns: ['tenant_id', 'user_id'], ...toUser },
  { ...ofUserRole, columns: ['tenant_id', 'role_id'], target: 'role', targetColumns: ['tenant_id', 'id'] },
  { ...ofUserOrg, columns: ['tenant_id', 'user_id'], ...toUser },
  { ...ofUserOrg, columns: ['tenant_id', 'org_id'], target: 'org', targetColumns: ['tenant_id', 'id'] },
  { ...ofUserStore, columns: ['tenant_id', 'user_id'], ...toUser },
  {
    ...ofUserStore,
    columns: ['tenant_id', 'store_code'],
    target: 'store',
    targetColumns: ['tenant_id', 'code'],
  },
  { ...ofOrg, columns: ['tenant_id', 'parent_id'], target: 'org', targetColumns: ['tenant_id', 'id'] },
  { ...ofOrg, ...toTenant },
  { table: 'user', key: ['tenant_id', 'id'], ...toTenant },
  { table: 'role', key: ['tenant_id', 'id'], ...toTenant },
  { table: 'store', key: ['tenant_id', 'code'], ...toTenant },
  { table: 'application', key: ['app_id'], ...toTenant },
  {
    table: 'application_secret',
    key: ['id'],
    columns: ['app_id'],
    target: 'application',
    targetColumns: ['app_id'],
  },
  { ...ofOperatorTenant, columns: ['operator_id'], ...toOperator },
  { ...ofOperatorTenant, ...toTenant },
  { ...ofOperatorLink, columns: ['operator_id'], ...toOperator },
  { ...ofOperatorLink, columns: ['made_by'], ...toOperator },
  { table: 'operator_event', key: ['id'], columns: ['operator_id'], ...toOperator, isRecord: true },
  { table: 'erasure', key: ['tenant_id', 'user_id'], ...toTenant, isRecord: true },
];

/**
 * References from the bookkeeping to the directory. Left out:
 * last uses, which outlive a rotated secret, and calls, whose APPID may be invented.
 */
export const bookkeepingReferences: readonly Reference[] = [
  {
    table: 'operator_session',
    key: ['token_hash'],
    columns: ['operator_id'],
    ...toOperator,
    isRecord: true,
  },
  { table: 'session_end', key: ['request_id'], columns: ['operator_id'], ...toOperator, isRecord: true },
  { table: 'entry_count', key: ['tenant_id', 'day'], ...toTenant, isRecord: true },
];

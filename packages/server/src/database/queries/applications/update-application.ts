import type { ApplicationChanges } from '../../database.ts';
import type { Session } from '../session.ts';

/** The effect of an update: the tenant, and each changed value as the audit shows it. */
interface UpdatedApplication {
  readonly tenantId: bigint;
  /** Absent when every value was already as requested. */
  readonly described?: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
}

/** Columns that can be changed, with their values as the audit shows them. */
const shown = {
  status: (value: unknown) => value,
  scope: (value: unknown) => value,
  rate_limit: (value: unknown) => (value === null ? null : Number(value)),
  allowed_addresses: (value: unknown) => (value === null ? [] : String(value).split(',')),
  expires_at: (value: unknown) => (value === null ? null : new Date(Number(value)).toISOString()),
} as const;

type Column = keyof typeof shown;

const columns = Object.keys(shown) as Column[];

/** Changes an application. Returns `undefined` when it is unknown or revoked. */
export async function updateApplication(
  session: Session,
  appId: string,
  changes: ApplicationChanges,
): Promise<UpdatedApplication | undefined> {
  const before = await lockApplication(session, appId);
  if (before === undefined) return undefined;
  const tenantId = before.tenant_id;
  const values = Object.entries(toRow(changes)) as [Column, never][];
  const differing = values.filter(([column, value]) => value !== undefined && value !== before[column]);
  if (differing.length === 0) return { tenantId };
  await session.db
    .updateTable('application')
    .set(Object.fromEntries(differing))
    .where('app_id', '=', appId)
    .execute();
  const described = differing.map(([column, value]) => [
    column,
    { from: shown[column](before[column]), to: shown[column](value) },
  ]);
  return { tenantId, described: Object.fromEntries(described) };
}

/**
 * Reads the row and keeps others from changing it until this transaction ends. Returns `undefined` when the application
 * is unknown or revoked.
 */
export function lockApplication({ db }: Session, appId: string) {
  return db
    .updateTable('application')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('app_id', '=', appId)
    .where('status', '!=', 'revoked')
    .returning(['tenant_id', ...columns])
    .executeTakeFirst();
}

function toRow({ status, scope, rateLimit, allowedAddresses, expiresAtMs }: ApplicationChanges) {
  return {
    status,
    scope,
    rate_limit: toInteger(rateLimit),
    allowed_addresses: allowedAddresses && (allowedAddresses.join(',') || null),
    expires_at: toInteger(expiresAtMs),
  };
}

function toInteger(value: number | null | undefined): bigint | null | undefined {
  return typeof value === 'number' ? BigInt(value) : value;
}

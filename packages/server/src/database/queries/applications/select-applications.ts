import type {
  ApplicationRecord,
  ApplicationScope,
  ApplicationSecretRecord,
  ApplicationStatus,
} from '../../database.ts';
import type { Session } from '../session.ts';

// Never select `*`: a later release may add columns while this one's prepared statements are in use.
const applicationColumns = [
  'application.app_id',
  'application.tenant_id',
  'application.name',
  'application.status',
  'application.scope',
  'application.created_at',
  'application.rate_limit',
  'application.allowed_addresses',
  'application.expires_at',
] as const;
const secretColumns = ['id', 'app_id', 'sealed', 'created_at', 'expires_at', 'last_used_at'] as const;

/** Returns the applications with their secrets, ordered by APPID; only one with `appId`. */
export async function selectApplications({ db }: Session, appId?: string): Promise<ApplicationRecord[]> {
  const applications = await db
    .selectFrom('application')
    .innerJoin('tenant', 'tenant.id', 'application.tenant_id')
    .select(applicationColumns)
    .select('tenant.name as tenant_name')
    .$if(appId !== undefined, (query) => query.where('app_id', '=', appId ?? ''))
    .orderBy('app_id')
    .execute();
  const secrets = await db
    .selectFrom('application_secret')
    .select(secretColumns)
    .$if(appId !== undefined, (query) => query.where('app_id', '=', appId ?? ''))
    .orderBy('id')
    .execute();
  const secretsByApplication = Map.groupBy(secrets, (secret) => secret.app_id);
  return applications.map((row) => ({
    appId: row.app_id,
    tenantId: row.tenant_id,
    tenantName: row.tenant_name,
    name: row.name,
    status: toStatus(row.status),
    scope: row.scope as ApplicationScope,
    createdAtMs: Number(row.created_at),
    ...(row.rate_limit !== null && { rateLimit: Number(row.rate_limit) }),
    allowedAddresses: row.allowed_addresses?.split(',') ?? [],
    ...(row.expires_at !== null && { expiresAtMs: Number(row.expires_at) }),
    secrets: (secretsByApplication.get(row.app_id) ?? []).map(toSecret),
  }));
}

/** A status of a later release counts as revoked: this release cannot know what it permits. */
function toStatus(status: string): ApplicationStatus {
  return status === 'active' || status === 'suspended' ? status : 'revoked';
}

interface SecretRow {
  id: bigint;
  sealed: Uint8Array;
  created_at: bigint;
  expires_at: bigint | null;
  last_used_at: bigint | null;
}

function toSecret(row: SecretRow): ApplicationSecretRecord {
  return {
    id: row.id,
    sealed: row.sealed,
    createdAtMs: Number(row.created_at),
    ...(row.expires_at !== null && { expiresAtMs: Number(row.expires_at) }),
    ...(row.last_used_at !== null && { lastUsedAtMs: Number(row.last_used_at) }),
  };
}

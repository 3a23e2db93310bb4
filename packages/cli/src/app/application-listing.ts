import type { ApplicationRecord } from '@fieldroster/server/admin';
import { isoTime, isoTimeOrNull } from '../output/iso-time.ts';
import type { Listing } from '../output/print.ts';

/** How lists and `app show` present an application; secrets are never shown. */
export const applicationListing: Listing<ApplicationRecord> = {
  headings: ['APPID', 'NAME', 'TENANT', 'SCOPE', 'STATUS', 'CREATED', 'SECRETS', 'LAST USED', 'LIMITS'],
  cells: (application) => {
    const { appId, name, tenantName, scope, createdAtMs, secrets } = application;
    const live = secrets.filter(({ expiresAtMs }) => !isPast(expiresAtMs));
    const status = statusOf(application);
    const own = [appId, name, tenantName, scope, status, isoTime(createdAtMs), String(live.length)];
    return [...own, lastUsed(application), describeLimits(application)].map((cell) => cell ?? '-');
  },
  json: (application) => JSON.stringify(toJson(application)),
};

/** Returns the status; an application that is not suspended or revoked may have expired. */
export function statusOf({ status, expiresAtMs }: ApplicationRecord): string {
  return status === 'active' && isPast(expiresAtMs) ? 'expired' : status;
}

export function lastUsed({ secrets }: ApplicationRecord): string | null {
  const last = Math.max(0, ...secrets.map(({ lastUsedAtMs }) => lastUsedAtMs ?? 0));
  return last === 0 ? null : isoTime(last);
}

/** Returns the limits that differ from the defaults, on one line. */
function describeLimits({ rateLimit, allowedAddresses, expiresAtMs }: ApplicationRecord): string | null {
  const limits = [
    rateLimit === undefined ? '' : describeRate(rateLimit),
    allowedAddresses.length === 0 ? '' : `from ${allowedAddresses.join(',')}`,
    expiresAtMs === undefined ? '' : `${isPast(expiresAtMs) ? 'expired' : 'until'} ${isoTime(expiresAtMs)}`,
  ];
  return limits.filter((limit) => limit !== '').join('; ') || null;
}

export function isPast(expiresAtMs: number | undefined): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= Date.now();
}

export function describeRate(rateLimit: number): string {
  return rateLimit === 0 ? 'no rate limit' : `${rateLimit}/s`;
}

function toJson(application: ApplicationRecord) {
  const { appId, name, tenantName, scope, createdAtMs, rateLimit, allowedAddresses, expiresAtMs, secrets } =
    application;
  return {
    app_id: appId,
    name,
    tenant: tenantName,
    scope,
    status: statusOf(application),
    created_at: isoTime(createdAtMs),
    rate_limit: rateLimit ?? null,
    allowed_addresses: allowedAddresses,
    expires_at: isoTimeOrNull(expiresAtMs),
    secrets: secrets.map((secret) => ({
      created_at: isoTime(secret.createdAtMs),
      expires_at: isoTimeOrNull(secret.expiresAtMs),
      last_used_at: isoTimeOrNull(secret.lastUsedAtMs),
    })),
  };
}

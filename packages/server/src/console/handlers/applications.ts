import type { ConsoleInput, ConsoleOperations } from '@fieldroster/contract/console';
import { allowedAddressProblem } from '../../applications/allowed-addresses.ts';
import { newAppId, newAppSecret } from '../../applications/credentials.ts';
import type { ApplicationChanges, ApplicationRecord } from '../../database/database.ts';
import { invisibleInName } from '../../directory/invisible-character.ts';
import { ApiError } from '../../errors/api-error.ts';
import { dateMsMax } from '../../time/date-ms-max.ts';
import type { ConsoleHandler } from '../console-context.ts';
import { applicationRevoked, requireApplication } from '../require-application.ts';

export const listApplications: ConsoleHandler<ConsoleOperations['listApplications']> = async (
  _input,
  { parts, tenantId },
) => {
  const all = await parts.database.applications.listApplications();
  return {
    applications: all.filter((application) => application.tenantId === tenantId).map(present),
  };
};

function present(application: ApplicationRecord) {
  const { appId, name, scope, status, createdAtMs, secrets } = application;
  const { rateLimit, allowedAddresses, expiresAtMs } = application;
  return {
    app_id: appId,
    name,
    scope,
    status,
    created_at: BigInt(createdAtMs),
    ...(rateLimit !== undefined && { rate_limit: rateLimit }),
    allowed_addresses: [...allowedAddresses],
    ...(expiresAtMs !== undefined && { expires_at: BigInt(expiresAtMs) }),
    secrets: secrets.map((secret) => ({
      created_at: BigInt(secret.createdAtMs),
      ...(secret.expiresAtMs !== undefined && { expires_at: BigInt(secret.expiresAtMs) }),
      ...(secret.lastUsedAtMs !== undefined && { last_used_at: BigInt(secret.lastUsedAtMs) }),
    })),
  };
}

export const issueApplication: ConsoleHandler<ConsoleOperations['issueApplication']> = async (
  { name, scope },
  { parts, tenantId, refuse, actor, claim },
) => {
  const problem = invisibleInName(name, 'invisibleInApplication');
  if (problem !== undefined) throw new ApiError(1001, problem);
  const { database, vault } = parts;
  const [appId, appSecret] = [newAppId(), newAppSecret()];
  const application = { appId, tenantId, name, scope, sealed: vault.seal(appId, appSecret) };
  const inserted = await database.applications.insertApplication(application, { actor, claim });
  if (!inserted) throw refuse(1611, `the APPID ${appId} is taken; send the request again`);
  return { app_id: appId, app_secret: appSecret };
};

export const rotateSecret: ConsoleHandler<ConsoleOperations['rotateSecret']> = async (
  { app_id, old_expires_in_seconds },
  context,
) => {
  const { parts, actor, claim } = context;
  const { database, vault } = parts;
  await requireApplication(app_id, context);
  const appSecret = newAppSecret();
  // Not by the clock of this node: every node judges the expiry, and their clocks differ.
  const oldExpiresAtMs = (await database.claims.databaseTimeMs()) + old_expires_in_seconds * 1000;
  const sealed = vault.seal(app_id, appSecret);
  const rotation = { sealed, oldExpiresAtMs };
  const ended = await database.applications.addSecret(app_id, rotation, { actor, claim });
  if (ended === undefined) throw applicationRevoked(app_id, context);
  return { app_id, app_secret: appSecret, old_secret_expires_at: BigInt(oldExpiresAtMs) };
};

export const updateApplication: ConsoleHandler<ConsoleOperations['updateApplication']> = async (
  input,
  context,
) => {
  const { parts, actor, claim } = context;
  await requireApplication(input.app_id, context);
  const { applications } = parts.database;
  const updated = await applications.updateApplication(input.app_id, changesOf(input), { actor, claim });
  if (updated === undefined) throw applicationRevoked(input.app_id, context);
  return undefined;
};

function changesOf(input: ConsoleInput<ConsoleOperations['updateApplication']>): ApplicationChanges {
  const { scope, status, rate_limit, allowed_addresses, expires_at } = input;
  return {
    ...(scope !== undefined && { scope }),
    ...(status !== undefined && { status }),
    ...(rate_limit !== undefined && { rateLimit: rate_limit === -1 ? null : rate_limit }),
    ...(allowed_addresses !== undefined && { allowedAddresses: requireAddresses(allowed_addresses) }),
    ...(expires_at !== undefined && { expiresAtMs: expires_at === 0n ? null : requireDate(expires_at) }),
  };
}

function requireDate(atMs: bigint): number {
  if (atMs > 0n && atMs <= dateMsMax) return Number(atMs);
  throw new ApiError(
    1001,
    `expires_at must be a time from 1 to ${dateMsMax} in Unix milliseconds, or 0 for never`,
  );
}

function requireAddresses(given: readonly string[]): string[] {
  const addresses = [...new Set(given.map((entry) => entry.trim().toLowerCase()))];
  for (const address of addresses) {
    const problem = allowedAddressProblem(address);
    if (problem !== undefined) throw new ApiError(1001, problem);
  }
  return addresses;
}

export const revokeApplication: ConsoleHandler<ConsoleOperations['revokeApplication']> = async (
  { app_id },
  context,
) => {
  await requireApplication(app_id, context);
  const { parts, actor, claim } = context;
  const revoked = await parts.database.applications.revokeApplication(app_id, { actor, claim });
  if (!revoked) throw applicationRevoked(app_id, context);
  return undefined;
};

import type { ConsoleOperations } from '@fieldroster/contract/console';
import type { ApiError } from '../../api-error.ts';
import { newAppId, newAppSecret } from '../../applications/credentials.ts';
import type { ApplicationRecord } from '../../database/database.ts';
import type { ConsoleContext, ConsoleHandler } from '../console-context.ts';

export const listApplications: ConsoleHandler<ConsoleOperations['listApplications']> = async (
  _input,
  { parts, tenantId },
) => {
  const all = await parts.database.applications.listApplications();
  return {
    applications: all.filter((application) => application.tenantId === tenantId).map(present),
  };
};

function present({ appId, name, scope, status, createdAtMs, secrets }: ApplicationRecord) {
  return {
    app_id: appId,
    name,
    scope,
    status,
    created_at: BigInt(createdAtMs),
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
  const { database, vault } = parts;
  const [appId, appSecret] = [newAppId(), newAppSecret()];
  const application = { appId, tenantId, name, scope, sealed: vault.seal(appId, appSecret) };
  const inserted = await database.applications.insertApplication(application, actor, claim);
  if (!inserted) throw refuse(1611, `the APPID ${appId} is taken; send the request again`);
  return { app_id: appId, app_secret: appSecret };
};

export const rotateSecret: ConsoleHandler<ConsoleOperations['rotateSecret']> = async (
  { app_id, old_expires_in_seconds },
  context,
) => {
  const { parts, actor, claim } = context;
  const { database, vault, now } = parts;
  await requireApplication(app_id, context);
  const appSecret = newAppSecret();
  const oldExpiresAtMs = now() + old_expires_in_seconds * 1000;
  const sealed = vault.seal(app_id, appSecret);
  await database.applications.addSecret(app_id, sealed, oldExpiresAtMs, actor, claim);
  return { app_id, app_secret: appSecret, old_secret_expires_at: BigInt(oldExpiresAtMs) };
};

export const revokeApplication: ConsoleHandler<ConsoleOperations['revokeApplication']> = async (
  { app_id },
  context,
) => {
  await requireApplication(app_id, context);
  const { parts, actor, claim } = context;
  await parts.database.applications.revokeApplication(app_id, actor, claim);
  return undefined;
};

/** Refuses an application of another tenant as one that does not exist, and by default a revoked one. */
export async function requireApplication(
  appId: string,
  { parts, tenantId, refuse }: ApplicationContext,
  which?: 'revoked too',
): Promise<ApplicationRecord> {
  const application = await parts.database.applications.findApplication(appId);
  const isThere = application !== undefined && application.tenantId === tenantId;
  if (isThere && (application.status !== 'revoked' || which === 'revoked too')) return application;
  throw refuse(1610, `the tenant has no application ${JSON.stringify(appId)} that is not revoked`);
}

interface ApplicationContext extends Pick<ConsoleContext, 'parts' | 'tenantId'> {
  readonly refuse: (code: 1610, message: string) => ApiError;
}

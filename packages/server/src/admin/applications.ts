import { appIdProblem, appSecretProblem, newAppId, newAppSecret } from '../applications/credentials.ts';
import type { ApplicationScope } from '../database/database.ts';
import { type OpenDirectory, requireTenant } from './open-directory.ts';

/** An operator's request cannot be carried out; the message says why and what to do instead. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
}

export interface IssueRequest {
  readonly name: string;
  readonly tenant: string;
  readonly scope: ApplicationScope;
  /** An APPID that clients already use; a new one when left out. */
  readonly appId?: string;
  readonly appSecret?: string;
}

/** A newly issued secret; it is shown once and cannot be read again. */
export interface IssuedCredentials {
  readonly appId: string;
  readonly appSecret: string;
}

/** Issues an application with its first secret. Throws `AdminError` for a taken or malformed APPID. */
export async function issueApplication(
  directory: OpenDirectory,
  request: IssueRequest,
): Promise<IssuedCredentials> {
  const { database, vault } = directory;
  const appId = request.appId ?? newAppId();
  const appSecret = request.appSecret ?? newAppSecret();
  refuseIf(appIdProblem(appId));
  refuseIf(appSecretProblem(appSecret));
  const tenant = await requireTenant(database, request.tenant);
  const inserted = await database.applications.insertApplication({
    appId,
    tenantId: tenant.id,
    name: request.name,
    scope: request.scope,
    sealed: vault.seal(appId, appSecret),
  });
  if (!inserted) throw new AdminError(`the APPID ${appId} is taken; choose another one`);
  return { appId, appSecret };
}

/**
 * Gives an application a new secret and the previous one an end, so that clients change over without a failed request.
 * Throws `AdminError` for an unknown or revoked application.
 *
 * @param oldExpiresInMs how long the previous secret stays valid, in milliseconds
 */
export async function rotateSecret(
  directory: OpenDirectory,
  appId: string,
  oldExpiresInMs: number,
): Promise<IssuedCredentials & { readonly oldExpiresAtMs: number }> {
  const { database, vault } = directory;
  const application = await database.applications.findApplication(appId);
  if (application === undefined) throw new AdminError(`there is no application ${appId}`);
  if (application.status === 'revoked')
    throw new AdminError(`the application ${appId} is revoked; issue a new one`);
  const appSecret = newAppSecret();
  const oldExpiresAtMs = Date.now() + oldExpiresInMs;
  await database.applications.addSecret(appId, vault.seal(appId, appSecret), oldExpiresAtMs);
  return { appId, appSecret, oldExpiresAtMs };
}

/** Revokes an application for good. Throws `AdminError` when it is unknown; revoking it again does nothing. */
export async function revokeApplication({ database }: OpenDirectory, appId: string): Promise<void> {
  const application = await database.applications.findApplication(appId);
  if (application === undefined) throw new AdminError(`there is no application ${appId}`);
  await database.applications.revokeApplication(appId);
}

function refuseIf(problem: string | undefined): void {
  if (problem !== undefined) throw new AdminError(problem);
}

import { problemInEnglish } from '@fieldroster/contract/problems';
import { appIdProblem, appSecretProblem, newAppId, newAppSecret } from '../applications/credentials.ts';
import {
  type ApplicationChanges,
  type ApplicationRecord,
  type ApplicationScope,
  type ApplicationSecretRecord,
  type Database,
  OutcomeUnknownError,
} from '../database/database.ts';
import { invisibleInName } from '../directory/invisible-character.ts';
import { AdminError } from './admin-error.ts';
import type { OpenDirectory } from './open-directory.ts';
import { requireTenant } from './tenants.ts';

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

/** Returns which character the name of a new application must not have, or `undefined` for a plain one. */
export function applicationNameProblem(name: string): string | undefined {
  const problem = invisibleInName(name, 'invisibleInApplication');
  return problem && problemInEnglish(problem);
}

/**
 * Issues an application with its first secret. Throws `AdminError` for a taken or malformed APPID, and for another
 * one's APPSECRET.
 */
export async function issueApplication(
  directory: OpenDirectory,
  request: IssueRequest,
): Promise<IssuedCredentials> {
  const { database, vault, actor } = directory;
  const appId = request.appId ?? newAppId();
  const appSecret = request.appSecret ?? newAppSecret();
  refuseIf(appIdProblem(appId));
  refuseIf(appSecretProblem(appSecret));
  if (request.appSecret !== undefined) await refuseSharedSecret(directory, request.appSecret);
  const tenant = await requireTenant(database, request.tenant);
  const { name, scope } = request;
  const application = { appId, tenantId: tenant.id, name, scope, sealed: vault.seal(appId, appSecret) };
  const inserted = await database.applications
    .insertApplication(application, { actor })
    .catch((error: unknown) => {
      throw explainLostIssue(error, appId);
    });
  if (!inserted) throw new AdminError(`the APPID ${appId} is taken; choose another one`);
  return { appId, appSecret };
}

function explainLostIssue(error: unknown, appId: string): unknown {
  if (!(error instanceof OutcomeUnknownError)) return error;
  return new AdminError(
    `the reply to the commit was lost, so it is not known whether the application ${appId} was issued: if fieldroster app ` +
      `list names it, fieldroster app rotate ${appId} makes a secret for it; otherwise run the same command again`,
    { cause: error },
  );
}

/** A client that has a shared secret could sign as every application that uses it. */
async function refuseSharedSecret({ database, vault }: OpenDirectory, appSecret: string): Promise<void> {
  for (const { appId, secrets } of await database.applications.listApplications())
    if (secrets.some(({ sealed }) => opensTo(appSecret, () => vault.open(appId, sealed))))
      throw new AdminError(
        `the APPSECRET is already that of the application ${appId}; each application needs one of its own`,
      );
}

/** A secret whose master key is not at hand cannot be compared. */
function opensTo(expected: string, open: () => string): boolean {
  try {
    return open() === expected;
  } catch {
    return false;
  }
}

/** A new secret, and what became of the others. */
export interface RotatedSecret extends IssuedCredentials {
  /** When the previous secret ends. */
  readonly oldExpiresAtMs: number;
  /** False if the application had no secret, as after its secrets were deleted because their key is lost. */
  readonly hadSecret: boolean;
  /** The secrets that were valid and are not any more: the one replaced, or older ones, as an application has at most two. */
  readonly ended: readonly ApplicationSecretRecord[];
  /** Whether the newest secret was replaced, so that the previous one keeps its end. */
  readonly replacedNewest: boolean;
}

export interface RotationOptions {
  /** True replaces the newest secret, which was lost, if an older one is valid too. */
  readonly replaceNewest?: boolean;
}

/**
 * Gives an application a new secret and lets the previous one expire, so that clients switch without a failed request.
 * Throws `AdminError` for an unknown or revoked application, when the newest secret is to be replaced although it was
 * used, and when the reply to the commit was lost.
 *
 * @param oldExpiresInMs how long the previous secret stays valid, in milliseconds
 */
export async function rotateSecret(
  directory: OpenDirectory,
  appId: string,
  oldExpiresInMs: number,
  { replaceNewest = false }: RotationOptions = {},
): Promise<RotatedSecret> {
  const { database, vault, actor } = directory;
  const appSecret = newAppSecret();
  // Not by this machine's clock: the servers follow another one on PostgreSQL, and may be elsewhere.
  const nowMs = await database.claims.databaseTimeMs();
  const oldExpiresAtMs = nowMs + oldExpiresInMs;
  // Read before the rotation: a failure after it would lose the new secret.
  const known = (await database.applications.findApplication(appId))?.secrets ?? [];
  const newest = known.at(-1);
  if (replaceNewest) refuseUsedSecret(appId, known, nowMs);
  const rotation = { sealed: vault.seal(appId, appSecret), oldExpiresAtMs, replaceNewest };
  const ended = await database.applications.addSecret(appId, rotation, { actor }).catch((error: unknown) => {
    throw explainLostRotation(error, appId);
  });
  if (ended === undefined) return refuseNotLive(database, appId);
  const replacedNewest = newest !== undefined && ended.includes(newest.id);
  return {
    appId,
    appSecret,
    oldExpiresAtMs: (replacedNewest ? known.at(-2)?.expiresAtMs : undefined) ?? oldExpiresAtMs,
    hadSecret: known.length > 0,
    ended: known.filter(({ id }) => ended.includes(id)),
    replacedNewest,
  };
}

/** A secret that signed a request is not lost, and clients would fail without it. */
function refuseUsedSecret(appId: string, secrets: readonly ApplicationSecretRecord[], nowMs: number): void {
  const [older, newest] = secrets.slice(-2);
  if (newest?.lastUsedAtMs === undefined || (older?.expiresAtMs ?? 0) <= nowMs) return;
  throw new AdminError(
    `the newest secret of ${appId} was used at ${new Date(newest.lastUsedAtMs).toISOString()}, so it is not lost; to rotate ` +
      'it, leave --replace-newest out',
  );
}

function explainLostRotation(error: unknown, appId: string): unknown {
  if (!(error instanceof OutcomeUnknownError)) return error;
  return new AdminError(
    `the reply to the commit was lost, so it is not known whether ${appId} has a new secret, which nobody has seen: ` +
      `fieldroster app show ${appId} lists its secrets with their times; if one was made just now, replace it with: ` +
      `fieldroster app rotate ${appId} --replace-newest; if none was, run the same command again`,
    { cause: error },
  );
}

/**
 * Changes an application. Running servers follow within two seconds.
 *
 * @throws {AdminError} when it is unknown or revoked
 */
export async function updateApplication(
  { database, actor }: OpenDirectory,
  appId: string,
  changes: ApplicationChanges,
): Promise<ApplicationRecord> {
  const updated = await database.applications.updateApplication(appId, changes, { actor });
  return updated ?? refuseNotLive(database, appId);
}

/** Revokes an application permanently. Throws `AdminError` when it is unknown; revoking it again does nothing. */
export async function revokeApplication({ database, actor }: OpenDirectory, appId: string): Promise<void> {
  await requireApplication({ database }, appId);
  await database.applications.revokeApplication(appId, { actor });
}

/** Returns the application. Throws `AdminError` when it is unknown. */
export async function requireApplication(
  { database }: Pick<OpenDirectory, 'database'>,
  appId: string,
): Promise<ApplicationRecord> {
  const application = await database.applications.findApplication(appId);
  if (application === undefined) throw notLive(appId, application);
  return application;
}

async function refuseNotLive({ applications }: Database, appId: string): Promise<never> {
  throw notLive(appId, await applications.findApplication(appId));
}

function notLive(appId: string, application: ApplicationRecord | undefined): AdminError {
  return new AdminError(
    application === undefined
      ? `there is no application ${appId}; fieldroster app list shows the APPIDs`
      : `the application ${appId} is revoked for good; issue another: fieldroster app create`,
  );
}

function refuseIf(problem: string | undefined): void {
  if (problem !== undefined) throw new AdminError(problem);
}

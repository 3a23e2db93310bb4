import type { ApplicationRecord, ApplicationScope } from '../database/database.ts';
import { AllowedAddresses } from './allowed-addresses.ts';
import type { FastSigner } from './fast-signer.ts';
import type { SecretUse } from './secret-use-times.ts';

/** An application as the pipeline sees it. */
export interface KnownApplication {
  readonly appId: string;
  readonly tenantId: bigint;
  readonly scope: ApplicationScope;
  readonly isSuspended?: boolean;
  /** Unix milliseconds; absent if it does not expire. */
  readonly expiresAtMs?: number;
  /** Requests per second, 0 for no limit; absent when the server's own limit applies. */
  readonly rateLimit?: number;
  /** Absent when it may call from anywhere. */
  readonly allowedAddresses?: AllowedAddresses;
}

/** A secret that this process has opened. */
export interface LoadedSecret {
  readonly id: bigint;
  readonly signer: FastSigner;
  readonly expiresAtMs: number;
  readonly use: SecretUse;
}

/** An application, with the secrets that this process has opened. */
export interface LoadedApplication {
  readonly application: KnownApplication;
  /** Includes expired ones: a clock that ran ahead of their expiry may be set back. */
  readonly secrets: readonly LoadedSecret[];
  /** Those of `secrets` that have not expired, as long as the clock is between `lastEndMs` and `nextEndMs`. */
  live: readonly LoadedSecret[];
  /** The signers of `live`, ready for verification. */
  signers: readonly FastSigner[];
  /** When the last of the secrets that are not in `live` expired. */
  lastEndMs: number;
  /** When the first of `live` expires, so that a request compares the clock with this time alone. */
  nextEndMs: number;
}

/** Returns whether the application is neither suspended nor expired. */
export function isLive({ isSuspended, expiresAtMs }: KnownApplication, nowMs: number): boolean {
  return isSuspended !== true && (expiresAtMs === undefined || nowMs < expiresAtMs);
}

export function toKnownApplication(record: ApplicationRecord): KnownApplication {
  const { appId, tenantId, scope, status, expiresAtMs, rateLimit, allowedAddresses } = record;
  return {
    appId,
    tenantId,
    scope,
    isSuspended: status === 'suspended',
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    ...(rateLimit !== undefined && { rateLimit }),
    ...(allowedAddresses.length > 0 && { allowedAddresses: new AllowedAddresses(allowedAddresses) }),
  };
}

/** Wipes the signers that have no place among the current ones. */
export function wipeReplaced(
  former: ReadonlyMap<string, LoadedApplication>,
  current: ReadonlyMap<string, LoadedApplication>,
): void {
  const kept = new Set([...current.values()].flatMap(signersOf));
  for (const signer of [...former.values()].flatMap(signersOf)) if (!kept.has(signer)) signer.wipe();
}

function signersOf({ secrets }: LoadedApplication): FastSigner[] {
  return secrets.map(({ signer }) => signer);
}

/** Selects the secrets that have not expired at this time, and wipes the signers of those that have. */
export function selectLive(application: LoadedApplication, nowMs: number): void {
  if (nowMs >= application.lastEndMs && nowMs < application.nextEndMs) return;
  const ends = application.secrets.map(({ expiresAtMs }) => expiresAtMs);
  application.live = application.secrets.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  application.signers = application.live.map(({ signer }) => signer);
  for (const signer of signersOf(application)) if (!application.signers.includes(signer)) signer.wipe();
  application.lastEndMs = Math.max(Number.NEGATIVE_INFINITY, ...ends.filter((endMs) => endMs <= nowMs));
  application.nextEndMs = Math.min(Number.POSITIVE_INFINITY, ...ends.filter((endMs) => endMs > nowMs));
}

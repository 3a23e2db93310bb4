import { limits } from '@fieldroster/contract';
import {
  type QueryParameter,
  usualPrefixes,
  type Verified,
  type VerifyOptions,
  verifyHead,
  verifyRequest,
} from '@fieldroster/signing';
import type { ApplicationDirectory } from '../../applications/application-directory.ts';
import { isLive, type KnownApplication } from '../../applications/loaded-application.ts';
import { describeMismatch } from '../../call-records/describe-mismatch.ts';
import type { Database } from '../../database/database.ts';
import type { Call, ReceivedBody } from '../call.ts';
import {
  explainRefusal,
  type Refusal,
  type RefusalHints,
  shortenAppId,
} from '../failures/explain-refusal.ts';
import { FailedCall, type LoggedCaller } from '../failures/failed-call.ts';
import type { MismatchHelp } from '../failures/mismatch-help.ts';
import { uncompressed } from '../failures/uncompressed.ts';

/** The caller, as proved by the signature. */
export interface Caller {
  readonly application: KnownApplication;
  readonly timestampSeconds: number;
  readonly nonce: string;
  /** The signature in Base64, in the form that verified. */
  readonly signature: string;
  /** The parameters as signed, in the order received. */
  readonly parameters: readonly QueryParameter[];
  /** Whether another signature of the same target could mean other parameters. */
  readonly ambiguous: boolean;
}

/** Dependencies of the signature check. */
export interface SignatureParts {
  readonly applications: ApplicationDirectory;
  readonly help: MismatchHelp;
  readonly database: Database;
}

/**
 * Checks everything that needs no body, before any of it is kept.
 *
 * @returns the APPID that the headers name
 * @throws {FailedCall} with 1011, 1013 or 1012, checked in that order
 */
export function verifyHeaders(
  call: Call,
  { applications, database }: Pick<SignatureParts, 'applications' | 'database'>,
  nowMs: number,
): string {
  const head = verifyHead(call, verifyOptions(applications, { arrivedAtMs: nowMs }));
  if (head.outcome === 'accepted-head') return head.appId;
  const shown = asUnknownUnlessLive(head, applications, nowMs);
  throw new FailedCall(explainRefusal(shown, hintsFor(call, database)), namedCaller(head, applications));
}

/** What to compare the times of a call and of its secret with, in Unix milliseconds. */
interface VerificationTimes {
  /** When what is verified had arrived, to which the timestamp must be close. */
  readonly arrivedAtMs: number;
  /** When the secret must be valid: later, if the call has waited. */
  readonly secretsAtMs?: number;
}

/**
 * Verifies the signature of a call whose body has arrived.
 *
 * @throws {FailedCall} with 1011, 1013, 1012, 1001 or 1014, checked in that order
 */
export function verifySignature(
  call: Call,
  body: ReceivedBody,
  { applications, help, database }: SignatureParts,
  { arrivedAtMs, secretsAtMs = arrivedAtMs }: VerificationTimes,
): Caller {
  const { method, target, authorization, timestamp, nonce } = call;
  const request = {
    method,
    target,
    authorization,
    timestamp,
    nonce,
    body: body.bytes,
    bodyMd5: body.md5,
  };
  const verification = verifyRequest(request, verifyOptions(applications, { arrivedAtMs, secretsAtMs }));
  if (verification.outcome === 'verified') return toCaller(verification, applications, secretsAtMs);
  const caller = namedCaller(verification, applications);
  const shown = asUnknownUnlessLive(verification, applications, secretsAtMs);
  if (shown.outcome !== 'mismatch')
    throw new FailedCall(explainRefusal(shown, hintsFor(call, database)), caller);
  const { appId, stringsToSign } = shown;
  const secrets = applications.findSecrets(appId, secretsAtMs) ?? [];
  const sentAs = { origin: originOf(call), removedPrefixes: removedPrefixesOf(call) };
  const searched = { ...request, uncompressedBody: () => uncompressed(body.bytes) };
  const search = help.search({ request: searched, stringsToSign, secrets, ...sentAs }, arrivedAtMs);
  throw new FailedCall(explainRefusal(shown, { search, body: body.bytes }), {
    ...caller,
    describeMismatch: () =>
      describeMismatch({ ...request, operation: call.operation }, shown.readings, search),
  });
}

function hintsFor({ operation }: Call, { claims }: Database): RefusalHints {
  return {
    clockDifferenceMs: claims.clockDifferenceMs(),
    isWrite: operation.access !== 'read',
    parameterNames: Object.keys(operation.query?.properties ?? {}),
  };
}

/** A suspended or expired application looks unknown to a caller who has not proved that it knows the secret. */
function asUnknownUnlessLive(refused: Refusal, applications: ApplicationDirectory, nowMs: number): Refusal {
  if (refused.outcome === 'malformed-header') return refused;
  const { appId } = refused;
  const application = applications.find(appId);
  if (application === undefined || isLive(application, nowMs)) return refused;
  return { outcome: 'unknown-application', appId };
}

function verifyOptions(
  applications: ApplicationDirectory,
  { arrivedAtMs, secretsAtMs = arrivedAtMs }: VerificationTimes,
): VerifyOptions {
  return {
    findSecrets: (appId) => applications.findSecrets(appId, secretsAtMs),
    standIn: applications.standIn,
    nowSeconds: Math.floor(arrivedAtMs / 1000),
    timestampSkewSeconds: limits.timestampSkewSeconds,
    nonceCharactersMax: limits.nonceCharactersMax,
  };
}

function toCaller(verified: Verified, applications: ApplicationDirectory, nowMs: number): Caller {
  const application = applications.find(verified.appId);
  if (application === undefined) throw new TypeError('a verified application is not in the directory');
  applications.noteUse(verified.appId, verified.secretIndex, nowMs);
  const { timestampSeconds, nonce, signature, parameters, ambiguous } = verified;
  return { application, timestampSeconds, nonce, signature, parameters, ambiguous };
}

/** Returns the caller of a request that proved nothing, with its APPID as the log may show it. */
function namedCaller(refused: Refusal, applications: ApplicationDirectory): LoggedCaller {
  if (refused.outcome === 'malformed-header') return {};
  const { appId } = refused;
  return applications.find(appId) === undefined
    ? { appId: shortenAppId(appId) }
    : { appId, application: 'named' };
}

const hostCharactersMax = 255;

/**
 * Returns the origin in the Host header, from the caller or a proxy. The scheme does not matter: every one is tried.
 */
function originOf({ host = '' }: Call): string | undefined {
  return host === '' || host.length > hostCharactersMax ? undefined : `http://${host}`;
}

/** Returns prefixes of the path that a proxy may have removed: the one that a trusted proxy names, and the usual ones. */
function removedPrefixesOf({ forwardedPrefix }: Call): readonly string[] {
  const named = forwardedPrefix?.();
  return named === undefined ? usualPrefixes : [named, ...usualPrefixes];
}

import { limits } from '@fieldroster/contract';
import {
  lineNames,
  looksSwapped,
  type Mismatched,
  type QueryParameter,
  type QueryReading,
  timeZoneHours,
  type Verification,
  type Verified,
  type VerifyOptions,
  verifyHead,
  verifyRequest,
} from '@fieldroster/signing';
import { ApiError } from '../api-error.ts';
import type { ApplicationDirectory, KnownApplication } from '../applications/application-directory.ts';
import { describeMismatch } from '../call-records/describe-mismatch.ts';
import type { Call, ReceivedBody } from './call.ts';
import { FailedCall, type LoggedCaller } from './failed-call.ts';
import type { MismatchHelp } from './likely-cause.ts';
import { isLive } from './require-live-application.ts';

type Refusal = Exclude<Verification, Verified>;

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
}

/**
 * Checks everything that needs no body, before any of it is kept.
 *
 * @returns the APPID that the headers name
 * @throws {FailedCall} with 1011, 1013 or 1012, checked in that order
 */
export function verifyHeaders(
  call: Call,
  { applications }: Pick<SignatureParts, 'applications'>,
  nowMs: number,
): string | undefined {
  const lookUp = lookUpSecrets(applications, nowMs);
  const refused = verifyHead(call, lookUp.options);
  if (refused === undefined) return lookUp.appId;
  const shown = asUnknownUnlessLive(refused, lookUp.appId, applications, nowMs);
  throw new FailedCall(refusal(shown), namedCaller(lookUp.appId, applications));
}

/**
 * Verifies the signature of a call whose body has arrived.
 *
 * @throws {FailedCall} with 1011, 1013, 1012, 1001 or 1014, checked in that order
 */
export function verifySignature(
  call: Call,
  body: ReceivedBody,
  { applications, help }: SignatureParts,
  nowMs: number,
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
  const lookUp = lookUpSecrets(applications, nowMs);
  const verification = verifyRequest(request, lookUp.options);
  if (verification.outcome === 'verified') return toCaller(verification, applications, nowMs);
  const caller = namedCaller(lookUp.appId, applications);
  const shown = asUnknownUnlessLive(verification, lookUp.appId, applications, nowMs);
  if (shown.outcome !== 'mismatch') throw new FailedCall(refusal(shown), caller);
  const { appId, stringsToSign } = shown;
  const secrets = applications.findSecrets(appId, nowMs) ?? [];
  const cause = help.likelyCause({ request, stringsToSign, secrets, origin: originOf(call) }, nowMs);
  throw new FailedCall(refusal(shown, cause), {
    ...caller,
    describeMismatch: () =>
      describeMismatch({ ...request, operation: call.operation }, shown.readings, cause),
  });
}

/** A suspended or expired application looks unknown to a caller who has not proved that it knows the secret. */
function asUnknownUnlessLive(
  refused: Refusal,
  appId: string | undefined,
  applications: ApplicationDirectory,
  nowMs: number,
): Refusal {
  const application = appId === undefined ? undefined : applications.find(appId);
  if (appId === undefined || application === undefined || isLive(application, nowMs)) return refused;
  return { outcome: 'unknown-application', appId };
}

/** A verification's look-up of secrets. */
interface SecretLookUp {
  readonly options: VerifyOptions;
  /** The APPID that the headers name; absent until its secrets are looked up. */
  appId: string | undefined;
}

function lookUpSecrets(applications: ApplicationDirectory, nowMs: number): SecretLookUp {
  const lookUp: SecretLookUp = {
    appId: undefined,
    options: {
      findSecrets(appId) {
        lookUp.appId = appId;
        return applications.findSecrets(appId, nowMs);
      },
      nowSeconds: Math.floor(nowMs / 1000),
      timestampSkewSeconds: limits.timestampSkewSeconds,
      nonceCharactersMax: limits.nonceCharactersMax,
    },
  };
  return lookUp;
}

function toCaller(verified: Verified, applications: ApplicationDirectory, nowMs: number): Caller {
  const application = applications.find(verified.appId);
  if (application === undefined) throw new TypeError('a verified application is not in the directory');
  applications.noteUse(verified.appId, verified.secretIndex, nowMs);
  const { timestampSeconds, nonce, signature, parameters, ambiguous } = verified;
  return { application, timestampSeconds, nonce, signature, parameters, ambiguous };
}

/** Returns the caller of a request that proved nothing, with its APPID as the log may show it. */
function namedCaller(appId: string | undefined, applications: ApplicationDirectory): LoggedCaller {
  if (appId === undefined) return {};
  return applications.find(appId) === undefined ? { appId: shorten(appId) } : { appId, application: 'named' };
}

function refusal(verification: Refusal, cause?: string): ApiError {
  switch (verification.outcome) {
    case 'malformed-header':
      return new ApiError(1011, `the ${verification.header} header ${verification.problem}`);
    case 'unknown-application':
      return new ApiError(
        1013,
        `the application ${JSON.stringify(shorten(verification.appId))} is unknown or revoked${orderHint(verification.appId)}`,
      );
    case 'expired':
      return new ApiError(1012, expiryMessage(verification));
    case 'malformed-query':
      return new ApiError(1001, verification.problem);
    case 'mismatch':
      return new ApiError(1014, mismatchMessage(verification, cause));
  }
}

function expiryMessage({
  timestampSeconds,
  nowSeconds,
}: {
  timestampSeconds: number;
  nowSeconds: number;
}): string {
  const difference = timestampSeconds - nowSeconds;
  const direction = difference > 0 ? 'ahead of' : 'behind';
  return (
    `Timestamp ${timestampSeconds} is ${Math.abs(difference)} seconds ${direction} the server's time ${nowSeconds}; ` +
    `at most ${limits.timestampSkewSeconds} are accepted${clockHint(timestampSeconds, nowSeconds)}`
  );
}

/** Nanoseconds have more digits than the header may have. */
const finerUnits = [
  { name: 'milliseconds', perSecond: 1_000 },
  { name: 'microseconds', perSecond: 1_000_000 },
];

function clockHint(timestampSeconds: number, nowSeconds: number): string {
  const unit = finerUnits.find(
    ({ perSecond }) => Math.abs(timestampSeconds / perSecond - nowSeconds) < 86_400,
  );
  if (unit !== undefined) return `; it looks like ${unit.name}, send seconds`;
  const hours = timeZoneHours(timestampSeconds - nowSeconds, limits.timestampSkewSeconds);
  if (hours === undefined)
    return '; sign right before you send, and keep the clock of your machine set by NTP';
  return `; ${inHours(Math.abs(hours))} like a time zone: send seconds since 1970-01-01 UTC, not local time`;
}

function inHours(hours: number): string {
  return hours === 1 ? '1 hour looks' : `${hours} hours look`;
}

function orderHint(appId: string): string {
  return looksSwapped(appId)
    ? '; it looks like a signature: the order is cbs:<APPID>:<Signature>'
    : '; check the APPID';
}

/** Returns the server's string to sign, so that an integrator sees the line that differs, and the cause if known. */
function mismatchMessage({ stringsToSign, readings }: Mismatched, cause: string | undefined): string {
  const strings = stringsToSign.map(
    (string, index) => `${describe(readings[index])}${JSON.stringify(string)}`,
  );
  const help = cause === undefined ? unknownCause(stringsToSign) : `likely cause: ${cause}`;
  return `the signature does not match; the server's StringToSign is ${strings.join(', or ')}; ${help}`;
}

function unknownCause([string = '']: readonly string[]): string {
  const changedBody =
    'if your string has another Content-MD5, the body was changed after you signed it: sign the bytes that you send; ';
  const hasBody = lineNames(string).includes('Content-MD5');
  return `${hasBody ? changedBody : ''}if the string that you signed is the same, you signed with another APPSECRET`;
}

/** Describes how a reading differs from the usual one. */
function describe({ plus, names }: Partial<QueryReading> = {}): string {
  if (names !== 'as-sent') return plus === 'literal' ? 'with + kept in the query ' : '';
  const values = plus === 'literal' ? 'and + kept in the query ' : '';
  return `with parameter names as they stand in the URL ${values}`;
}

const hostCharactersMax = 255;

/**
 * Returns the origin in the Host header, from the caller or a proxy. The scheme does not matter: every one is tried.
 */
function originOf({ host = '' }: Call): string | undefined {
  return host === '' || host.length > hostCharactersMax ? undefined : `http://${host}`;
}

const shownCharactersMax = 8;

/** An unknown APPID may be a pasted APPSECRET, so only its start is shown. */
function shorten(appId: string): string {
  const shown = Math.min(shownCharactersMax, Math.floor(appId.length / 2));
  return `${appId.slice(0, shown)}…`;
}

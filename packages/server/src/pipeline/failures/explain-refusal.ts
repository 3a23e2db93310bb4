import { limits } from '@fieldroster/contract';
import { type CutShort, cutShortSearch } from '@fieldroster/contract/problems';
import {
  lineNames,
  looksSwapped,
  type Mismatched,
  type QueryFault,
  type QueryReading,
  sayQueryFault,
  timeZoneHours,
  type Verification,
  type Verified,
} from '@fieldroster/signing';
import { clockDifferenceLimits } from '../../database/database.ts';
import { quoteVisibly } from '../../directory/quote-visibly.ts';
import { ApiError } from '../../errors/api-error.ts';
import { nameOddBody } from '../steps/input/odd-body.ts';
import type { MistakeSearch } from './mismatch-help.ts';

/** How a request can fail to verify. */
export type Refusal = Exclude<Verification, Verified>;

/** What the server knows besides the verification. */
export interface RefusalHints {
  /** What the search for the cause of a mismatch found. */
  readonly search?: MistakeSearch;
  /** The body of a mismatch. */
  readonly body?: Uint8Array;
  /** See `Claims.clockDifferenceMs`. */
  readonly clockDifferenceMs?: number | undefined;
  /** Whether the request would change something. */
  readonly isWrite?: boolean;
  /** The names of the query parameters that the operation reads. */
  readonly parameterNames?: readonly string[];
}

/** Makes the error of a request that does not verify: what was wrong, and what to do. */
export function explainRefusal(verification: Refusal, hints: RefusalHints = {}): ApiError {
  switch (verification.outcome) {
    case 'malformed-header':
      return new ApiError(1011, `the ${verification.header} header ${verification.problem}`);
    case 'unknown-application':
      return new ApiError(
        1013,
        `the application ${quoteVisibly(shortenAppId(verification.appId))} is unknown or revoked${orderHint(verification.appId)}`,
      );
    case 'expired':
      return explainExpiry(verification, hints);
    case 'malformed-query':
      return new ApiError(1001, sayQueryFault(withoutSecrets(verification.fault, hints.parameterNames)));
    case 'mismatch':
      return new ApiError(1014, mismatchMessage(verification, hints));
  }
}

/** Text outside the parameters of the operation may be part of a password that was sent by mistake. */
function withoutSecrets(fault: QueryFault, names: readonly string[] = []): QueryFault {
  if (fault.kind === 'too-many-parameters') return fault;
  if (names.some((name) => JSON.stringify(name) === fault.parameter)) return fault;
  return fault.kind === 'name-character' ? { ...fault, parameter: undefined } : { ...fault, at: undefined };
}

/**
 * With 1503, a proxy sends a request to another node when this one is not ready because of its clock. Its own time would
 * mislead clients that correct theirs.
 */
function explainExpiry(
  { timestampSeconds, nowSeconds }: Extract<Refusal, { outcome: 'expired' }>,
  { clockDifferenceMs = 0, isWrite = false }: RefusalHints,
): ApiError {
  const difference = timestampSeconds - nowSeconds;
  const isByDatabase =
    Math.abs(clockDifferenceMs) > clockDifferenceLimits.warnMs &&
    Math.abs(difference + clockDifferenceMs / 1000) <= limits.timestampSkewSeconds;
  const ownClock = `the server's clock is ${describeDifference(clockDifferenceMs / 1000)} its database's`;
  if (isByDatabase && Math.abs(clockDifferenceMs) > clockDifferenceLimits.readyMs)
    return new ApiError(
      1503,
      `${ownClock}, so it cannot tell whether the request is in time; send it again, which may reach another server, and tell the server's operator`,
      { retryAfterSeconds: 1 },
    );
  const hint = isByDatabase
    ? `; ${ownClock}, so it may be the wrong one: if yours is right, tell the server's operator`
    : clockHint(timestampSeconds, nowSeconds, isWrite);
  return new ApiError(
    1012,
    `Timestamp ${timestampSeconds} is ${describeDifference(difference)} the server's time ${nowSeconds}; ` +
      `at most ${limits.timestampSkewSeconds} are accepted${hint}`,
  );
}

function describeDifference(seconds: number): string {
  const direction = seconds > 0 ? 'ahead of' : 'behind';
  return `${Math.abs(Math.round(seconds))} seconds ${direction}`;
}

/** Nanoseconds have more digits than the header may have. */
const finerUnits = [
  { name: 'milliseconds', perSecond: 1_000 },
  { name: 'microseconds', perSecond: 1_000_000 },
];

function clockHint(timestampSeconds: number, nowSeconds: number, isWrite: boolean): string {
  const unit = finerUnits.find(
    ({ perSecond }) => Math.abs(timestampSeconds / perSecond - nowSeconds) < 86_400,
  );
  if (unit !== undefined) return `; it looks like ${unit.name}, send seconds`;
  if (looksLikeDate(timestampSeconds, nowSeconds))
    return '; it looks like a date and a time in digits, send seconds since 1970-01-01 UTC';
  const hours = timeZoneHours(timestampSeconds - nowSeconds, limits.timestampSkewSeconds);
  const late = isWrite && timestampSeconds < nowSeconds ? retryHint : '';
  if (hours === undefined)
    return `; sign right before you send, and keep the clock of your machine set by NTP${late}`;
  return `; ${inHours(Math.abs(hours))} like a time zone: send seconds since 1970-01-01 UTC, not local time${late}`;
}

/** The digits of a year and a month, and up to a day, an hour, a minute and a second. */
const dateDigits = /^(\d{4})(\d\d)(?:\d\d){1,4}$/;

function looksLikeDate(timestampSeconds: number, nowSeconds: number): boolean {
  const [, year, month] = dateDigits.exec(String(timestampSeconds)) ?? [];
  const thisYear = new Date(nowSeconds * 1000).getUTCFullYear();
  return Math.abs(Number(year) - thisYear) <= 1 && Number(month) >= 1 && Number(month) <= 12;
}

/** A client that has waited for a minute without an answer, and signs again, may do twice what it wanted once. */
const retryHint = '; if this is a second attempt, first check whether the earlier one took effect';

function inHours(hours: number): string {
  return hours === 1 ? '1 hour looks' : `${hours} hours look`;
}

function orderHint(appId: string): string {
  return looksSwapped(appId)
    ? '; it looks like a signature: the order is cbs:<APPID>:<Signature>'
    : '; check the APPID';
}

/** Returns the server's string to sign, so that an integrator sees the line that differs, and the cause if known. */
function mismatchMessage(
  { stringsToSign, readings }: Mismatched,
  { search: { cause, cutShort } = {}, body }: RefusalHints,
): string {
  const strings = stringsToSign.map(
    (string, index) => `${describe(readings[index])}${JSON.stringify(string)}`,
  );
  const help =
    cause === undefined
      ? `${cutShort === undefined ? '' : `${cutShortSearch[cutShort]}: ${cutShortHints[cutShort]}; `}${unknownCause(stringsToSign, body)}`
      : `likely cause: ${cause}`;
  return `the signature does not match; the server's StringToSign is ${strings.join(', or ')}; ${help}`;
}

const cutShortHints: Readonly<Record<CutShort, string>> = {
  others: 'send one such request alone',
  long: 'fieldroster explain can finish it',
};

function unknownCause([string = '']: readonly string[], body: Uint8Array = new Uint8Array()): string {
  const changedBody = `if your string has another Content-MD5, the body was changed after you signed it (the one that arrived has ${describeBody(body)}): sign the bytes that you send`;
  const hasBody = lineNames(string).includes('Content-MD5');
  const odd = nameOddBody(Buffer.from(body.buffer, body.byteOffset, body.length));
  // The advice has semicolons of its own.
  const further = odd === undefined ? '; if' : `. The body that arrived ${odd}. If`;
  return `${hasBody ? changedBody + further : 'if'} the string that you signed is the same, you signed with another APPSECRET, or with one that a rotation has ended`;
}

const byteOrderMark = [0xef, 0xbb, 0xbf];
const lineFeed = 0x0a;

/** Returns what a client can compare with the body that it signed. */
function describeBody(body: Uint8Array): string {
  const parts = [
    body.length === 1 ? '1 byte' : `${body.length} bytes`,
    byteOrderMark.every((byte, index) => body[index] === byte) && 'a byte order mark at its start',
    body.at(-1) === lineFeed && 'a line feed at its end',
  ];
  return parts.filter((part) => part !== false).join(', ');
}

/** Describes how a reading differs from the usual one. */
function describe({ plus, names }: Partial<QueryReading> = {}): string {
  if (names !== 'as-sent') return plus === 'literal' ? 'with + kept in the query ' : '';
  const values = plus === 'literal' ? 'and + kept in the query ' : '';
  return `with parameter names as they stand in the URL ${values}`;
}

const shownCharactersMax = 8;

/** An unknown APPID may be a pasted APPSECRET, so only its start is shown. */
export function shortenAppId(appId: string): string {
  const shown = Math.min(shownCharactersMax, Math.floor(appId.length / 2));
  return `${appId.slice(0, shown)}…`;
}

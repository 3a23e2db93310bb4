import { withheldDigest } from '@fieldroster/contract/problems';
import { sayMinutes } from '../say-minutes.ts';
import { written } from '../written.ts';

/** How far the clock of an application is off. */
export interface ClockDifference {
  readonly direction: 'behind' | 'ahead';
  readonly minutes: number;
}

/** @param count `undefined` if the reader may not know it */
const onlyCounted = (count: number | undefined) => {
  if (count === undefined) return 'It was only counted: too many failed at once.';
  const which = count === 1 ? 'the one call that was' : `one of ${written(count)} calls that were`;
  return `It is ${which} only counted: too many failed at once.`;
};

export const requests = {
  title: 'Requests',
  help: 'Calls that failed in the last seven days. Bodies and secrets are not kept.',
  application: 'Application',
  operation: 'Operation',
  code: 'Code',
  codeAndReason: 'Code and reason',
  requestId: 'Request ID',
  clear: 'Clear filters',
  at: 'Time',
  message: 'Answer as sent',
  /** In place of the answer. */
  erased: 'Removed when a person was erased',
  duration: 'Duration',
  milliseconds: (ms: string) => `${ms} ms`,
  noOperation: 'None',
  noApplication: 'None given',
  unknown: 'Unknown application',
  unverified: ' (unverified)',
  claimed: 'Named by the request; the signature was not verified',
  empty: 'No failed calls',
  emptyHelp: 'Calls that fail appear here within ten seconds.',
  noneFound: 'No failed call matches',
  noneFoundHelp: 'Remove a filter. Calls that succeeded are not kept.',
  noneFoundThenHelp: 'Remove a filter, or choose a longer period. Calls that succeeded are not kept.',
  noneThen: 'No failed calls in that time',
  noneThenHelp: 'Choose a longer period. Failed calls are kept for seven days.',
  call: 'Request',
  address: 'Address',
  cause: 'Likely cause',
  likely: (cause: string) => `Likely cause: ${cause}`,
  recordedCause: 'Cause that the server recorded',
  searchCutShort: {
    others:
      'Unknown. The search for a known mistake was cut short, because other wrong signatures of the same second had used up its time. Let the application send one such request alone, and look at that one here.',
    long: 'Unknown. The search for a known mistake took too long and was cut short. fieldroster explain can finish it, with the request, its signature and the application’s secret.',
  },
  noCause:
    'None found. If the string below is what the application signed, its secret differs from the server’s.',
  noCauseWithBody:
    'None found. Either the body was changed after it was signed, or the application’s secret differs from the server’s.',
  noCauseWithoutValues:
    'None found. The string below lacks values that are not recorded. Fill them in. If the result is what the application signed, its secret differs from the server’s.',
  whatWasWrong: 'What was wrong',
  whatToDo: 'What to do',
  /** In place of the step of code 1014, if the strings to sign lack values. */
  stepWithoutValues:
    'Values shown as … and digests of bodies with passwords are not recorded, so the string below cannot be compared as it is. Open it in the signature lab and add what the application sent. Compare the string there with the one that the application made. If they are equal, its secret is wrong: rotate it.',
  /** In place of the step of code 1014, if the server found the cause. */
  stepWithCause:
    'The application must correct this. Tell its developers. Rotating its secret would not help.',
  /** In place of the step of code 1012, if the answer has the difference. */
  stepOfClock: ({ direction, minutes }: ClockDifference) =>
    `The application’s clock is ${sayMinutes(minutes, { d: ' d', h: ' h', min: ' min' })} ${direction}. Set the clock of the machine that it runs on.`,
  /** In place of the step of code 1012, if the request may be old. */
  stepAfterPurge:
    'The application is probably right. The server has deleted its record of that time, so it cannot tell whether the request is new. Sign it again after the time that the answer names. If that is refused too, check the servers’ clocks with fieldroster claims status.',
  /** In place of the step of code 1012, if the server's clock may be wrong. */
  stepOfServerClock:
    'The clock of the server differs from that of its database. Set both by NTP before you ask the application’s developers.',
  /** In place of the step of code 1012, if the clock is not to blame. */
  stepsOfTime: {
    'time zone':
      'The clock is probably right. The application must send seconds since 1970-01-01 UTC, not local time. Tell its developers.',
    milliseconds:
      'The clock is probably right. The application must send the time in seconds, not in milliseconds. Tell its developers.',
    microseconds:
      'The clock is probably right. The application must send the time in seconds, not in microseconds. Tell its developers.',
  },
  /** In place of the digest of a body. */
  withheldDigest,
  stringToSign: 'The server’s string to sign',
  otherReading: 'Or, with the query read the other way',
  copyString: 'Copy the string',
  lines: {
    Method: 'Method',
    'Content-MD5': 'Content-MD5',
    Timestamp: 'Timestamp',
    Nonce: 'Nonce',
    CanonicalizedResource: 'Canonical resource',
  },
  openInLab: 'Open in the signature lab',
  notFound: 'No failed call with this request ID is on record',
  reasons: (unkept: number | undefined) => [
    'It failed a moment ago: servers write failed calls within ten seconds.',
    'It belongs to an application of another tenant.',
    ...(unkept === 0 ? [] : [onlyCounted(unkept)]),
    'It was answered with 1503 because the server was too busy to look at it: such calls are only counted.',
    'It is older than seven days, or many newer failed calls took its place.',
    'It was a call of the console, or something that the server could not read as an HTTP request: only the server’s log has those.',
    'The server records no calls, because of --calls-keep 0: only its log has them.',
    'The call succeeded: only failed calls are kept.',
  ],
};

/** What an application sent in place of seconds since 1970-01-01 UTC. */
export type WrongTime = keyof typeof requests.stepsOfTime;

import { type ErrorCodeEntry, errorCodes } from '@fieldroster/contract';
import { type CutShort, cutShortSearch, lacksValues, readCutShort } from '@fieldroster/contract/problems';
import {
  type Database,
  type FailedCallRecord,
  failuresKeptDays,
  failuresKeptMs,
} from '@fieldroster/server/admin';
import { lineNames } from '@fieldroster/signing';
import { type Command, Help } from 'commander';
import {
  addDirectoryOptions,
  type DirectoryFlags,
  withDirectoryToRead,
} from '../directory/with-directory.ts';
import { erasedTexts, hasNoTexts } from '../output/erased-texts.ts';
import { isoTime } from '../output/iso-time.ts';
import { abridge, print, printable } from '../output/print.ts';
import { ReportedFailure } from '../run-program.ts';

export function completeWhy(why: Command): void {
  why
    .argument('<request-id>', 'The X-Request-Id header of the answer, or request_id of the log line')
    .addHelpText(
      'after',
      `
Shows what a failed call was, why it failed and what to do. For a wrong
signature (1014) it shows the server's string to sign line by line. Failed calls
are kept for ${failuresKeptDays} days; calls that succeeded are not kept.

Example:
  $ fieldroster why 3f9c1d2e4b5a-2k --json`,
    )
    .action((requestId: string, flags: DirectoryFlags) =>
      withDirectoryToRead(flags, ({ database }) => explainFailure(database, requestId, flags.json === true)),
    );
  addDirectoryOptions(why);
}

async function explainFailure(
  { bookkeeping, applications }: Database,
  requestId: string,
  json: boolean,
): Promise<void> {
  const call = await findFailure(bookkeeping, requestId);
  if (call !== undefined) {
    const application = call.appId === undefined ? undefined : await applications.findApplication(call.appId);
    await print(
      json ? `${JSON.stringify(toJson(call, application?.name))}\n` : toText(call, application?.name),
    );
    return;
  }
  const reasons = await reasonsForNothing(bookkeeping, requestId.trim());
  const shown = abridge(printable(requestId));
  await print(
    json
      ? `${JSON.stringify({ request_id: requestId, found: false, possible_reasons: reasons })}\n`
      : `no failed call with the request id ${shown} is on record; possible reasons:\n${reasons.map((reason) => `  - ${reason}\n`).join('')}`,
  );
  throw new ReportedFailure();
}

/** An id that was copied from a log or a mail often comes with quotes or a comma, or in capitals. */
async function findFailure({ calls }: Database['bookkeeping'], requestId: string) {
  const [bare] = requestId.toLowerCase().match(/[0-9a-f]{12}-[0-9a-z]+/) ?? [];
  const found = await calls.findFailure(requestId);
  return found ?? (bare === undefined ? undefined : calls.findFailure(bare));
}

async function reasonsForNothing({ calls }: Database['bookkeeping'], requestId: string): Promise<string[]> {
  if (!/^[0-9a-f]{12}-[0-9a-z]+$/.test(requestId)) {
    return [
      'it is not a request id of this server, which looks like 3f9c1d2e4b5a-2k; copy the X-Request-Id header of the answer, or request_id of the log line',
      'it is the id that the caller gave the request in their own X-Request-Id: only the log has that, as caller_request_id; search the log for it, and give why the request_id of the same line',
    ];
  }
  const unkept = await calls.countUnkept(Date.now() - failuresKeptMs);
  // An operator asks because a call failed, so that it succeeded comes last.
  return [
    'the call failed a moment ago: servers write failed calls within 10 seconds, so try again then; if the disk is full, only the log has it',
    'the call is in another database: name it with --data or --database',
    ...(unkept > 0
      ? [
          `it is one of ${unkept} failed calls of the last ${failuresKeptDays} days that were only counted: too many failed at once`,
        ]
      : []),
    'the call was answered with 1503 because the server was too busy to look at it: such calls are only counted, and the log has their number in refused',
    `the call is older than ${failuresKeptDays} days, or many newer failed calls took its place`,
    'the call was one of the console: only the log has the failed ones, with console and the request id',
    'the server could not read the bytes as an HTTP request: only the log has the reason, with the request id',
    'the server records no calls, because of --calls-keep 0: only the log has the call',
    'the call succeeded: only failed calls are kept',
  ];
}

/** Answers `what to do` for the operator; the contract's cure addresses the caller. */
const operatorSteps: Readonly<Partial<Record<number, string>>> = {
  1012: "Compare the caller's clock with that of the node: `fieldroster claims status` shows the database's clock. With PostgreSQL, `fieldroster doctor` names each node whose clock differs from it. On SQLite nothing does: compare the node with a time server, with `timedatectl` or `chronyc tracking`.",
  1013: '`fieldroster app list` shows the APPIDs, and which are suspended, expired or revoked. `fieldroster app update APPID --resume` ends a suspension, `--expires-in 90d` extends the term; `fieldroster app create` issues a new one.',
  1014: 'Send the caller the lines above: the first line that differs from what they signed is the mistake. If none differs, their APPSECRET is a different one, or has ended: `fieldroster app show APPID` says when its secrets ended, and `fieldroster app rotate` makes a new one. `fieldroster explain` compares both strings.',
  1016: '`fieldroster app show APPID` shows the scope and the allowed addresses of the application; `fieldroster app update APPID` changes them. If the address is unknown, set --trust-proxy.',
  1429: '`fieldroster calls` shows which application calls how often. `fieldroster app show APPID` shows its limit, `fieldroster app update APPID --rate-limit N` changes it.',
  1500: 'Look for the request id in the log of the server, at level error: it has the whole cause.',
  1503: 'Look at /readyz of the server, and for the request id in its log, at level warn. Run `fieldroster doctor` at once: while a lock holds up writes, it names who holds it.',
};

/** A record may be of another release, with codes that this one does not know. */
const entries: Readonly<Record<number, ErrorCodeEntry | undefined>> = errorCodes;

/** In place of the step of code 1014, where no comparison with the record can find the mistake. */
const compareWithAnswer =
  "Values shown as … and digests of bodies with passwords are not recorded. The message of the caller's answer has the server's whole string to sign: let the caller compare that with what they signed. The first line that differs is the mistake. If none differs, their APPSECRET is a different one; `fieldroster app rotate` makes a new one.";

/** Precede the other steps of code 1014 if the search for the mistake was cut short. */
const searchSteps: Readonly<Record<CutShort, string>> = {
  others:
    'Let the caller send one such request alone, so that the search has the time it needs, and give its request id to `fieldroster why`.',
  long: "Give the request and its signature to `fieldroster explain`, with the caller's APPSECRET: it searches without a limit.",
};

function stepsFor(call: FailedCallRecord): string[] {
  if (hasNoTexts(call)) return [repeatCall];
  const cutShort = cutShortOf(call);
  return [...(cutShort === undefined ? [] : [searchSteps[cutShort]]), ...usualSteps(call)];
}

/** Returns why the search for the mistake behind a wrong signature was cut short; `undefined` if it was not. */
function cutShortOf({ code, message }: FailedCallRecord): CutShort | undefined {
  return code === 1014 ? readCutShort(message) : undefined;
}

function usualSteps({ code, stringsToSign = [] }: FailedCallRecord): string[] {
  if (code === 1014 && stringsToSign.some(lacksValues)) return [compareWithAnswer];
  // The caller's steps for 1014 are about the message of the answer, which is not shown here.
  const cure = code === 1014 ? undefined : entries[code]?.cure;
  return [operatorSteps[code], cure && `The caller: ${cure}`].filter((step) => step !== undefined);
}

function toText(call: FailedCallRecord, appName: string | undefined): string {
  const { code, operation, stringsToSign = [] } = call;
  const meaning = entries[code]?.meaning ?? '';
  const isErased = hasNoTexts(call);
  const lines: [string, string][] = [
    ['request', call.requestId],
    ['time', isoTime(call.atMs)],
    ['call', [call.method, call.target, operation && `(${operation})`].filter((part) => part).join(' ')],
    ['application', callerOf(call, appName)],
    ['address', call.address ?? 'unknown'],
    ['duration', `${(call.durationUs / 1000).toFixed(1)} ms`],
    ['code', `${code}, ${meaning}`],
    ['message', isErased ? erasedTexts : call.message],
    ...(code === 1014 && !isErased
      ? [['likely cause', call.cause ?? noCause(call)] as [string, string]]
      : []),
    ...(code !== 1014 && call.cause !== undefined ? [['cause', call.cause] as [string, string]] : []),
  ];
  const fields = lines.map(([name, value]) => `${name.padEnd(labelWidth)}${printable(value)}\n`).join('');
  const steps = stepsFor(call).map(showStep);
  return `${fields}${stringsToSign.map(showString).join('')}what to do\n${steps.join('')}`;
}

const repeatCall = 'If calls still fail, repeat one and give its request id to `fieldroster why`.';

const columns = 80;
const bullet = '  - ';

/** Wraps the text between words, because a terminal breaks lines anywhere. */
function showStep(step: string): string {
  const lines = new Help().boxWrap(step, columns - bullet.length);
  return `${bullet}${lines.replaceAll('\n', `\n${' '.repeat(bullet.length)}`)}\n`;
}

const labelWidth = 14;

function noCause(call: FailedCallRecord): string {
  const cutShort = cutShortOf(call);
  if (cutShort !== undefined) return `unknown; ${cutShortSearch[cutShort]}`;
  const { stringsToSign = [] } = call;
  const [string = ''] = stringsToSign;
  if (lineNames(string).includes('Content-MD5'))
    return 'none found; either the body was changed after it was signed, or the APPSECRET is a different one';
  const which = stringsToSign.some(lacksValues) ? "that the caller's answer has" : 'below';
  return `none found; if the string ${which} is what the caller signed, the APPSECRET is a different one`;
}

function callerOf({ appId, verified }: FailedCallRecord, appName: string | undefined): string {
  if (appId === undefined) return 'none was named';
  const named = appName === undefined ? appId : `${appId}, ${appName}`;
  return verified ? named : `${named} (as the request says; its signature was not verified)`;
}

function showString(text: string, index: number): string {
  const names = lineNames(text);
  const title = index === 0 ? "the server's string to sign" : 'or, with the query read the other way';
  const lines = text
    .split('\n')
    .map((line, at) => `  ${(names[at] ?? '').padEnd(nameWidth)}${printable(line)}\n`);
  return `${title}\n${lines.join('')}`;
}

const nameWidth = 'CanonicalizedResource'.length + 2;

function toJson(call: FailedCallRecord, appName: string | undefined) {
  return {
    request_id: call.requestId,
    found: true,
    at: isoTime(call.atMs),
    method: call.method,
    target: call.target,
    operation: call.operation ?? null,
    app_id: call.appId ?? null,
    app_name: appName ?? null,
    verified: call.verified,
    address: call.address ?? null,
    duration_ms: call.durationUs / 1000,
    code: call.code,
    message: call.message,
    likely_cause: call.cause ?? null,
    strings_to_sign: call.stringsToSign ?? [],
    what_to_do: stepsFor(call),
  };
}

import {
  compareLines,
  findMistake,
  findStringMistake,
  firstDifference,
  signature,
  signaturesEqual,
} from '@fieldroster/signing';
import type { Command } from 'commander';
import { findCallTarget } from '../call/credentials.ts';
import { parseMethod } from '../call/method-and-path.ts';
import { readBytes } from '../call/read-bytes.ts';
import { clockMistake, lateNote } from '../explain/clock-mistake.ts';
import { headerMistake } from '../explain/header-mistake.ts';
import { type ExplainedRequest, type RequestFlags, readRequest } from '../explain/read-request.ts';
import { showComparison } from '../explain/show-comparison.ts';
import { print } from '../print.ts';
import { ReportedFailure, UsageError } from '../run-program.ts';

interface ExplainFlags extends RequestFlags {
  readonly signature?: string;
  readonly stringToSign?: string;
  readonly appSecret?: string;
  readonly json?: true;
}

export function completeExplain(explain: Command): void {
  explain
    .requiredOption('--method <method>', 'HTTP method, in any case', parseMethod)
    .requiredOption('--url <url>', 'URL as it is sent, or its path and query, percent-encoded')
    .requiredOption('--timestamp <seconds>', 'The Timestamp header')
    .requiredOption('--nonce <text>', 'The Nonce header')
    .option('--data <json>', 'Body that is sent: JSON, @FILE to read a file, @- to read standard input')
    .option('--signature <text>', 'The signature that does not match, or its whole Authorization header')
    .option(
      '--string-to-sign <text>',
      'Text that their code signed: the text itself, @FILE or @- for standard input',
    )
    .option('--base-path <path>', 'Base path of the server, if the URL leaves it out')
    .option('--app-id <appid>', 'APPID of the caller (env FIELDROSTER_APP_ID)')
    .option('--app-secret <secret>', 'Its APPSECRET; better in the environment (env FIELDROSTER_APP_SECRET)')
    .option('--json', 'Print JSON for scripts')
    .addHelpText(
      'after',
      `
Give --signature, --string-to-sign or both. A signature needs the APPSECRET,
from the flag, the environment or ~/.config/fieldroster/credentials.json;
nothing is sent and no secret is printed. Ends with 0 when what was given is
right.

Example:
  $ fieldroster explain --method GET --url '/user?username=ada' --timestamp 1767225600 --nonce n1 --signature 'mZ0…='
  $ fieldroster explain --method POST --url /user --data @body.json --timestamp 1767225600 --nonce n1 --string-to-sign @theirs.txt`,
    )
    .action(runExplain);
}

interface Finding {
  readonly matches: boolean;
  readonly rightString: string;
  /** The string that the caller signed, if it was given or follows from the signature. */
  readonly theirString: string | undefined;
  readonly mistake: { readonly name: string; readonly cause: string } | undefined;
}

async function runExplain(flags: ExplainFlags): Promise<void> {
  if (flags.signature === undefined && flags.stringToSign === undefined) {
    throw new UsageError('give --signature, --string-to-sign or both');
  }
  const explained = readRequest(flags, flags.signature ?? 'none');
  const finding = examine(flags, explained);
  const note = finding.matches ? lateNote(flags.timestamp, nowSeconds()) : undefined;
  await print(flags.json ? toJson(finding) : toText(finding, note));
  if (!finding.matches) throw new ReportedFailure();
}

function examine(flags: ExplainFlags, explained: ExplainedRequest): Finding {
  const header = headerMistake(explained);
  const [rightString = ''] = explained.rightStrings;
  if (header !== undefined) return { matches: false, rightString, theirString: undefined, mistake: header };
  const finding =
    flags.stringToSign === undefined ? bySignature(flags, explained) : byString(flags, explained);
  const clock = clockMistake(flags.timestamp, nowSeconds());
  const isCause = clock !== undefined && (finding.matches || clock.name === 'timestamp-header-milliseconds');
  return isCause ? { ...finding, matches: false, mistake: clock } : finding;
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function byString(flags: ExplainFlags, explained: ExplainedRequest): Finding {
  const { request, rightStrings, origin } = explained;
  const theirString = unquoted(String(readBytes('--string-to-sign', flags.stringToSign ?? '')));
  const rightString = rightStrings.find((text) => text === theirString) ?? rightStrings[0] ?? '';
  if (theirString !== rightString) {
    const mistake =
      findStringMistake(request, rightStrings, theirString, origin ?? originIn(theirString)) ??
      besideLineFeed(explained, theirString) ??
      otherHeaders(theirString, rightStrings);
    return { matches: false, rightString, theirString, mistake };
  }
  if (flags.signature === undefined) return { matches: true, rightString, theirString, mistake: undefined };
  const signed = bySignature(flags, explained);
  const { matches, mistake = matches ? undefined : otherSecret } = signed;
  return { ...signed, theirString, mistake };
}

const otherSecret = {
  name: 'other-secret',
  cause:
    'the strings are the same but the signatures differ, so another APPSECRET was used; sign with the one given here',
};

/**
 * Accepts a string to sign as JSON, as the server prints it. A right string begins with a letter, never a
 * quote.
 */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

/** Returns the scheme and host that were signed, for a command line whose URL has none. */
function originIn(theirString: string): string | undefined {
  return /^https?:\/\/[^/?#\s]+/im.exec(theirString)?.[0];
}

/** Retries without the line feed that an editor adds to a file, which would hide another mistake. */
function besideLineFeed({ request, rightStrings, origin }: ExplainedRequest, theirString: string) {
  const trimmed = theirString.replace(/\r?\n$/, '');
  const mistake =
    trimmed === theirString ? undefined : findStringMistake(request, rightStrings, trimmed, origin);
  if (mistake === undefined) return undefined;
  return { name: mistake.name, cause: `${mistake.cause}; besides, a line feed follows the last line` };
}

/** Recognises a mix of two calls: the headers of one and the string of the other. */
function otherHeaders(theirString: string, rightStrings: readonly string[]) {
  const [differing] = rightStrings.map((right) => {
    const lines = compareLines(right, theirString);
    return lines.filter(({ right, theirs }) => right !== theirs).map(({ name }) => name);
  });
  const known = differing?.every((name) => name === 'Timestamp' || name === 'Nonce');
  if (!differing || differing.length === 0 || !known) return undefined;
  return {
    name: differing.includes('Nonce') ? 'nonce-differs' : 'timestamp-differs',
    cause: `the ${differing.join(' and the ')} that was signed is not that of the headers; make each once, and use it for both`,
  };
}

function bySignature(flags: ExplainFlags, explained: ExplainedRequest): Finding {
  const { request, rightStrings, origin, appId, namesAppId } = explained;
  const { appSecret, appId: configured } = findCallTarget(flags, process.env, appId);
  // A secret given without an APPID belongs to the caller, even if another APPID is configured.
  const ownerOfSecret = flags.appSecret !== undefined && flags.appId === undefined ? appId : configured;
  const claimed = request.authorization?.split(':')[2] ?? '';
  const matching = rightStrings.find((text) => signaturesEqual(signature(appSecret, text), claimed));
  const rightString = matching ?? rightStrings[0] ?? '';
  if (namesAppId && appId !== ownerOfSecret) {
    return { matches: false, rightString, theirString: matching, mistake: otherApplication };
  }
  if (matching !== undefined)
    return { matches: true, rightString, theirString: matching, mistake: undefined };
  const mistake = findMistake({ request, stringsToSign: rightStrings, secrets: [appSecret], origin });
  return { matches: false, rightString, theirString: mistake?.signedString, mistake };
}

/** Repeats neither APPID, because the one in the header may be a secret. */
const otherApplication = {
  name: 'other-application',
  cause:
    'the Authorization header has another APPID than the one that is configured here with the APPSECRET; use the two that were issued together',
};

const columnsDefault = 120;

function toText(finding: Finding, note: string | undefined): string {
  const { rightString, theirString } = finding;
  const lines = compareLines(rightString, theirString ?? rightString);
  const difference = firstDifference(lines);
  const shown =
    theirString === undefined
      ? showAlone(rightString)
      : showComparison(lines, process.stdout.columns ?? columnsDefault);
  const place =
    difference &&
    `The first difference is in line ${difference.line} (${difference.name}), column ${difference.column}.`;
  return `${[shown, place, note, verdict(finding)].filter((part) => part !== undefined).join('\n')}\n`;
}

function showAlone(rightString: string): string {
  return `The right string to sign, as JSON:\n${JSON.stringify(rightString)}\n`;
}

function verdict({ matches, theirString, mistake }: Finding): string {
  if (matches) return 'It is right.';
  if (mistake !== undefined) return `Likely cause: ${mistake.cause}.`;
  const advice = 'It does not match, and no single known mistake produces it: compare the strings';
  return theirString === undefined
    ? `${advice}. If your code signed exactly this string, it used a different APPSECRET.`
    : `${advice} and the bytes of the body.`;
}

function toJson({ matches, rightString, theirString, mistake }: Finding): string {
  const difference =
    theirString === undefined ? undefined : firstDifference(compareLines(rightString, theirString));
  return `${JSON.stringify({
    matches,
    string_to_sign: rightString,
    their_string_to_sign: theirString ?? null,
    first_difference: difference ?? null,
    mistake: mistake?.name ?? null,
    likely_cause: mistake?.cause ?? null,
  })}\n`;
}

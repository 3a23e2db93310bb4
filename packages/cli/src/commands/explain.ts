import { compareLines, firstDifference } from '@fieldroster/signing';
import type { Command } from 'commander';
import { parseMethod } from '../call/method-and-path.ts';
import { accept } from '../command-line/flag-values.ts';
import { describeLateness } from '../explain/clock-mistake.ts';
import { examineRequest, type Finding, type SignedFlags } from '../explain/examine-request.ts';
import { readRequest } from '../explain/read-request.ts';
import { showComparison } from '../explain/show-comparison.ts';
import { print } from '../output/print.ts';
import { ReportedFailure, UsageError } from '../run-program.ts';

interface ExplainFlags extends SignedFlags {
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
      'Text that the caller signed: the text itself, @FILE or @- for standard input',
    )
    .option(
      '--base-path <path>',
      'Base path of the server, if the URL leaves it out',
      accept(basePathProblem),
    )
    .option('--app-id <appid>', 'APPID of the caller (env FIELDROSTER_APP_ID)')
    .option('--app-secret <secret>', 'Its APPSECRET; safer in the environment (env FIELDROSTER_APP_SECRET)')
    .option('--json', 'Print JSON for scripts')
    .addHelpText(
      'after',
      `
Give --signature, --string-to-sign or both. A signature needs the APPSECRET,
from the flag, the environment or ~/.config/fieldroster/credentials.json;
nothing is sent and no secret is printed. The exit code is 0 if the signature
or the text is right.

Example:
  $ fieldroster explain --method GET --url '/user?username=ada' --timestamp 1767225600 --nonce n1 --signature 'mZ0…='
  $ fieldroster explain --method POST --url /user --data @body.json --timestamp 1767225600 --nonce n1 --string-to-sign @signed.txt`,
    )
    .action(runExplain);
}

function basePathProblem(text: string): string | undefined {
  return /^(\/[!-~]*)?$/.test(text) ? undefined : 'a base path begins with /, as in /api/v1';
}

const standardInput = '@-';

async function runExplain(flags: ExplainFlags): Promise<void> {
  if (flags.signature === undefined && flags.stringToSign === undefined) {
    throw new UsageError('give --signature, --string-to-sign or both');
  }
  if (flags.data === standardInput && flags.stringToSign === standardInput) {
    throw new UsageError('--data and --string-to-sign are both @-; put one of them into a file');
  }
  const explained = await readRequest(flags, flags.signature ?? 'none');
  const nowSeconds = Math.floor(Date.now() / 1000);
  const finding = await examineRequest(flags, explained, nowSeconds);
  const note = finding.matches ? describeLateness(flags.timestamp, nowSeconds) : undefined;
  await print(flags.json ? toJson(finding) : toText(finding, note));
  if (!finding.matches) throw new ReportedFailure();
}

const columnsDefault = 120;

function toText(finding: Finding, note: string | undefined): string {
  const { expectedString, signedString } = finding;
  const lines = compareLines(expectedString, signedString ?? expectedString);
  const difference = firstDifference(lines);
  const shown =
    signedString === undefined
      ? showAlone(expectedString)
      : showComparison(lines, process.stdout.columns ?? columnsDefault);
  const place =
    difference &&
    `The first difference is in line ${difference.line} (${difference.name}), column ${difference.column}.`;
  return `${[shown, place, note, verdict(finding)].filter((part) => part !== undefined).join('\n')}\n`;
}

function showAlone(expectedString: string): string {
  return `The expected string to sign, as JSON:\n${JSON.stringify(expectedString)}\n`;
}

function verdict({ matches, signedString, mistake }: Finding): string {
  if (matches) return 'It is right.';
  if (mistake !== undefined) return `Likely cause: ${mistake.cause}.`;
  const advice = 'It does not match, and no single known mistake produces it: compare the strings';
  return signedString === undefined
    ? `${advice}. If your code signed exactly this string, it used a different APPSECRET.`
    : `${advice} and the bytes of the body.`;
}

function toJson({ matches, expectedString, signedString, mistake }: Finding): string {
  const difference =
    signedString === undefined ? undefined : firstDifference(compareLines(expectedString, signedString));
  return `${JSON.stringify({
    matches,
    string_to_sign: expectedString,
    signed_string: signedString ?? null,
    first_difference: difference ?? null,
    mistake: mistake?.name ?? null,
    likely_cause: mistake?.cause ?? null,
  })}\n`;
}

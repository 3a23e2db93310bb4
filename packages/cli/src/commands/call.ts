import { errorCodes } from '@fieldroster/contract';
import { lineNames, type SignedRequest } from '@fieldroster/signing';
import type { Command } from 'commander';
import { addCallOptions, type CallFlags, findCallTarget } from '../call/credentials.ts';
import { addQuery, parseMethod, parsePath, parseQueryParameter } from '../call/method-and-path.ts';
import { readBytes } from '../call/read-bytes.ts';
import { type Answer, sendSigned } from '../call/send-signed.ts';
import { serverFault } from '../call/server-fault.ts';
import { repeatable } from '../command-line/flag-values.ts';
import { print } from '../output/print.ts';
import { ReportedFailure } from '../run-program.ts';

export function completeCall(call: Command): void {
  addCallOptions(call)
    .argument('<method>', 'HTTP method, in any case', parseMethod)
    .argument('<path>', 'Path, with a query if needed: /user?username=ada', parsePath)
    .option(
      '-q, --query <name=value>',
      'Query parameter; the command encodes it (repeatable)',
      repeatable(parseQueryParameter),
    )
    .option('--data <json>', 'Body to send: JSON, @FILE to read a file, @- to read standard input')
    .option('--explain', 'Print each stage of the signature to standard error before the request is sent')
    .option('--json', 'Print JSON for scripts; this is the default')
    .addHelpText(
      'after',
      `
A path is sent as written; only characters beyond ASCII are percent-encoded.
-q encodes name and value, so that spaces, & and + arrive as typed.
Exits with 0 for code 0, and for a 1015 that proves that the write took effect;
with 1 for any other code.

Values that no flag or variable sets come from this file, if it exists:
~/.config/fieldroster/credentials.json, with this content:
  {"url":"http://127.0.0.1:8080","app_id":"…","app_secret":"…"}

Example:
  $ fieldroster call GET '/user?username=ada'
  $ fieldroster call GET /users -q 'search=Ada & Bo' -q limit=10
  $ fieldroster call POST /user --data '{"username":"ada","password":"correct horse"}'`,
    )
    .action(runCall);
}

async function runCall(
  method: string,
  path: string,
  flags: CallFlags & { query?: string; data?: string; explain?: true },
): Promise<void> {
  const target = findCallTarget(flags, process.env);
  const body = flags.data === undefined ? undefined : await readBytes('--data', flags.data);
  const answer = await sendSigned(
    target,
    { method, path: addQuery(path, flags.query), ...(body && { body }) },
    { onSigned: flags.explain && explainStages },
  );
  const { code, message } = envelopeOf(answer, target.url);
  await print(answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`);
  if (code !== 0 && !provesWrite(code, message)) throw new ReportedFailure();
}

/**
 * Returns whether a refusal proves that the write took effect: a proxy may send a request twice, and the answer is then
 * about the second copy.
 */
function provesWrite(code: number, message: unknown): boolean {
  return code === 1015 && String(message).startsWith(errorCodes[1015].fixedBeginnings[0].text);
}

/** Prints the stages of the signature. None is secret, because the server sees them too. */
function explainStages({ stringToSign, contentMd5, canonicalResource, headers }: SignedRequest): void {
  const names = lineNames(stringToSign);
  const stages = [
    `Content-MD5: ${contentMd5 ?? '(does not participate: no body)'}`,
    `CanonicalizedResource: ${canonicalResource}`,
    `StringToSign as JSON: ${JSON.stringify(stringToSign)}`,
    ...stringToSign.split('\n').map((line, index) => `  ${index + 1} ${names[index]}: ${line}`),
    `Signature: ${headers.Authorization.split(':')[2]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  process.stderr.write(stages.map((stage) => `${escapeControls(stage)}\n`).join(''));
}

function escapeControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}

const shownCharactersMax = 200;

/** Reads only the code and the message; the text is printed as received, so that no id is rounded. */
function envelopeOf({ status, text, location }: Answer, url: string): { code: number; message: unknown } {
  const { code, message } = parse(text) ?? {};
  if (typeof code === 'number') return { code, message };
  if (location !== undefined && status >= 300 && status < 400) {
    const message = `the server answered with a redirect to ${location.replace(/[?#].*/s, '')}`;
    throw new Error(serverFault(url, { reach: 'misdirected', message }));
  }
  const shown = text.slice(0, shownCharactersMax).trim();
  throw new Error(`${url} answered HTTP ${status} without an envelope; is it a Fieldroster server? ${shown}`);
}

function parse(text: string): { code?: unknown; message?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

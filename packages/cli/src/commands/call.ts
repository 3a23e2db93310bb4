import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { type CallFlags, findCallTarget } from '../call/credentials.ts';
import { type Answer, sendSigned } from '../call/send-signed.ts';
import { print } from '../print.ts';
import { ReportedFailure, UsageError } from '../run-program.ts';

export function completeCall(call: Command): void {
  call
    .argument('<method>', 'HTTP method, in any case', parseMethod)
    .argument('<path>', 'Path and query, percent-encoded: /user?username=ada', parsePath)
    .option('--data <json>', 'Body to send: JSON, @FILE for that of a file, @- for that of standard input')
    .option(
      '--url <url>',
      'Where the server is, base path included (env FIELDROSTER_URL, default http://127.0.0.1:8080)',
    )
    .option('--app-id <appid>', 'APPID to sign with (env FIELDROSTER_APP_ID)')
    .option('--app-secret <secret>', 'Its APPSECRET; better in the environment (env FIELDROSTER_APP_SECRET)')
    .option('--json', 'Print JSON for scripts, as is done anyway')
    .addHelpText(
      'after',
      `
What no flag and no variable gives is read from ~/.config/fieldroster/credentials.json:
  {"url":"http://127.0.0.1:8080","app_id":"…","app_secret":"…"}

Example:
  $ fieldroster call GET '/user?username=ada'
  $ fieldroster call POST /user --data '{"username":"ada","password":"correct horse"}'`,
    )
    .action(runCall);
}

async function runCall(method: string, path: string, flags: CallFlags & { data?: string }): Promise<void> {
  const target = findCallTarget(flags, process.env);
  const body = flags.data === undefined ? undefined : readBody(flags.data);
  const answer = await sendSigned(target, { method, path, ...(body && { body }) });
  const code = codeOf(answer, target.url);
  await print(answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`);
  if (code !== 0) throw new ReportedFailure();
}

const standardInput = 0;

function readBody(data: string): Uint8Array {
  if (!data.startsWith('@')) return Buffer.from(data);
  const file = data.slice(1);
  try {
    return readFileSync(file === '-' ? standardInput : file);
  } catch (error) {
    throw new UsageError(`--data ${data} cannot be read: ${(error as Error).message}`);
  }
}

const shownCharactersMax = 200;

/** Only the code is read; the text is printed as it came, so that no id is rounded. */
function codeOf({ status, text }: Answer, url: string): number {
  const code = parse(text)?.code;
  if (typeof code === 'number') return code;
  const shown = text.slice(0, shownCharactersMax).trim();
  throw new Error(`${url} answered HTTP ${status} without an envelope; is it a Fieldroster server? ${shown}`);
}

function parse(text: string): { code?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function parseMethod(text: string): string {
  if (!/^[A-Za-z]+$/.test(text)) throw new InvalidArgumentError('It must be an HTTP method such as GET.');
  return text.toUpperCase();
}

/** Visible ASCII, of which a fragment is never sent. */
function parsePath(text: string): string {
  if (!/^\/[!"$-~]*$/.test(text)) {
    throw new InvalidArgumentError(
      'It must begin with / and be percent-encoded, as in /user?username=ada%20b.',
    );
  }
  return text;
}

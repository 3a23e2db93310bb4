import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Load, LoadRequest, LoadResult } from '../measurement.ts';
import { OptionError } from '../options.ts';
import { pinned } from '../process/pinned.ts';

const run = promisify(execFile);

/** The load generator with that name; by default wrk where it is installed, else our own. */
export async function chooseLoad(name: string | undefined, core: string | undefined): Promise<Load> {
  if (name !== undefined && name !== 'wrk' && name !== 'node') {
    throw new OptionError(`--load is ${name}; it must be wrk or node`);
  }
  const chosen = name ?? ((await wrkIsInstalled()) ? 'wrk' : 'node');
  return chosen === 'wrk' ? wrk(core) : nodeLoad(core);
}

/**
 * Our own generator, for machines without wrk and for LDAP servers. A request costs it more processor time than wrk; the
 * report says when it was the limit.
 */
export function nodeLoad(core: string | undefined): Load {
  const script = join(import.meta.dirname, 'generate-load.ts');
  return {
    name: 'node',
    run: (request) =>
      runPinned(core, process.execPath, [...process.execArgv, script, JSON.stringify(request)]),
  };
}

/** wrk with one thread, because it has one core. */
export function wrk(core: string | undefined): Load {
  return { name: 'wrk', run: (request) => runPinned(core, 'wrk', wrkArguments(request)) };
}

function wrkArguments({ url, requestFile, seconds, connections, once, successPrefix }: LoadRequest) {
  return [
    '--threads=1',
    `--connections=${connections}`,
    `--duration=${Math.max(1, Math.round(seconds))}s`,
    '--timeout=10s',
    `--script=${join(import.meta.dirname, 'signed-requests.lua')}`,
    url,
    '--',
    requestFile,
    once ? 'once' : 'again',
    successPrefix,
  ];
}

export async function wrkIsInstalled(): Promise<boolean> {
  // wrk --version exits with 1. Only a missing program has a text as its code.
  const code = await run('wrk', ['--version']).then(
    () => 0,
    (error: { code?: unknown }) => error.code,
  );
  return typeof code === 'number';
}

/** Both generators print their result as JSON in their last line. */
async function runPinned(core: string | undefined, program: string, args: string[]): Promise<LoadResult> {
  const { stdout } = await run(...pinned(core, program, args));
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as LoadResult;
}

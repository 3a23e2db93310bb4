import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Load, LoadRequest, LoadResult } from '../measurement.ts';
import { pinned } from '../process/pinned.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('./signed-requests.lua', import.meta.url));

/** Generates load with wrk: one thread, because it has one core. */
export function wrk(core: string | undefined): Load {
  return { name: 'wrk', run: (request) => runWrk(request, core) };
}

/** Whether wrk can be started on this machine. */
export async function wrkIsThere(): Promise<boolean> {
  // Asked for its version, wrk prints it and ends with 1; only a missing program has a text as its code.
  const code = await run('wrk', ['--version']).then(
    () => 0,
    (error: { code?: unknown }) => error.code,
  );
  return typeof code === 'number';
}

async function runWrk(request: LoadRequest, core: string | undefined): Promise<LoadResult> {
  const { url, requestFile, seconds, connections, once, successPrefix } = request;
  const [command, args] = pinned(core, 'wrk', [
    '--threads=1',
    `--connections=${connections}`,
    `--duration=${Math.max(1, Math.round(seconds))}s`,
    '--timeout=10s',
    `--script=${script}`,
    url,
    '--',
    requestFile,
    once ? 'once' : 'again',
    successPrefix,
  ]);
  const { stdout } = await run(command, args);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as LoadResult;
}

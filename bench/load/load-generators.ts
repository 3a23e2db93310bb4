import { join } from 'node:path';
import type { Load, LoadRequest, LoadResult } from '../measurement.ts';
import { isInstalled, runPinned } from '../process/pinned.ts';

/** wrk where it is installed, else our own generator. */
export function chooseLoad(core: string | undefined): Load {
  return isInstalled('wrk') ? wrk(core) : nodeLoad(core);
}

/**
 * Our own generator, for machines without wrk and for LDAP servers. A request costs it more processor time than wrk; the
 * report says when it was the limit.
 */
export function nodeLoad(core: string | undefined): Load {
  const generator = [...process.execArgv, join(import.meta.dirname, 'generate-load.ts')];
  const run = (request: LoadRequest) =>
    runPinned(core, process.execPath, [...generator, JSON.stringify(request)]);
  return { name: 'node', run: async (request) => resultIn(await run(request)) };
}

/** wrk with one thread, because it has one core. */
export function wrk(core: string | undefined): Load {
  const run = (request: LoadRequest) => runPinned(core, 'wrk', wrkArguments(request));
  return { name: 'wrk', run: async (request) => resultIn(await run(request)) };
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

/** Both generators print their result as JSON in their last line. */
function resultIn(output: string): LoadResult {
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as LoadResult;
}

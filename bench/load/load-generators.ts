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
  const script = join(import.meta.dirname, 'generate-load.ts');
  const argsOf = (round: LoadRequest) => [...process.execArgv, script, JSON.stringify(round)];
  return generator('node', core, process.execPath, argsOf);
}

/** wrk with one thread, because it has one core. */
export function wrk(core: string | undefined): Load {
  return generator('wrk', core, 'wrk', (round) => [
    '--threads=1',
    `--connections=${round.connections}`,
    `--duration=${Math.max(1, Math.round(round.seconds))}s`,
    '--timeout=10s',
    `--script=${join(import.meta.dirname, 'signed-requests.lua')}`,
    round.url,
    '--',
    round.requestFile,
    round.once ? 'once' : 'again',
    round.successPrefix,
  ]);
}

/** Both generators print their result as JSON in their last line. */
function generator(
  name: string,
  core: string | undefined,
  command: string,
  argsOf: (round: LoadRequest) => readonly string[],
): Load {
  const run = async (round: LoadRequest) => {
    const output = await runPinned(core, command, argsOf(round));
    return JSON.parse(output.trim().split('\n').at(-1) ?? '') as LoadResult;
  };
  return { name, run };
}

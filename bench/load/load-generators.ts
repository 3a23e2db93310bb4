import { join } from 'node:path';
import { isInstalled, runPinned } from '../process/pinned.ts';

export interface LoadRequest {
  readonly url: string;
  /** Written by `writeRequestFile`. */
  readonly requestFile: string;
  readonly seconds: number;
  readonly connections: number;
  /** Ends the round after the last request, instead of repeating them. */
  readonly once: boolean;
  /** The beginning of every successful body. */
  readonly successPrefix: string;
}

/** The figures that each generator prints as JSON in its last line. */
export interface LoadResult {
  readonly answers: number;
  readonly seconds: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly cpuSeconds: number;
}

/** A load generator. */
export type Load = ReturnType<typeof generator>;

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
  return generator('node', core, process.execPath, (round) => [
    ...process.execArgv,
    script,
    JSON.stringify(round),
  ]);
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

function generator(
  name: string,
  core: string | undefined,
  command: string,
  argsOf: (round: LoadRequest) => readonly string[],
) {
  const run = async (round: LoadRequest) => {
    const output = await runPinned(core, command, argsOf(round));
    return JSON.parse(output.trim().split('\n').at(-1) ?? '') as LoadResult;
  };
  return { name, run };
}

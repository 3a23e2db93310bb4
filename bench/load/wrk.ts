import { join } from 'node:path';
import { runPinned } from '../process/pinned.ts';

interface Round {
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

/** The figures that the script prints as JSON in the last line. */
interface LoadResult {
  readonly answers: number;
  readonly seconds: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly cpuSeconds: number;
}

/** Sends the requests of a file with wrk. One thread is enough, because wrk has one core. */
export async function runWrk(core: string | undefined, round: Round): Promise<LoadResult> {
  const output = await runPinned(core, [
    'wrk',
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
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';
import type { Bench } from '../measurement.ts';
import type { Options } from '../options.ts';
import type { Circumstances } from './write-results.ts';

/** Describes the machine, the code and the options of a run. */
export function describeCircumstances(root: string, bench: Bench, options: Options): Circumstances {
  return {
    date: new Date().toISOString(),
    commit: commitOf(root),
    comparedRevision: options.compare ?? null,
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    pinned: bench.cores.server !== undefined,
    load: bench.load.name,
    loadAverage: loadavg().map((value) => Math.round(100 * value) / 100),
    notes: bench.notes,
    users: options.users,
    rounds: options.rounds,
    seconds: options.seconds,
  };
}

function commitOf(root: string): string {
  try {
    return execFileSync('git', ['-C', root, 'describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Serving, Subject } from '../measurement.ts';
import { quietEnvironment } from '../process/child.ts';
import { pinned } from '../process/pinned.ts';

const built = new Set<string>();

/** The published command, because the sources take longer to start and need more memory. */
export function builtCommand(root: string): string {
  if (!built.has(root)) {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--conditions=fieldroster-source', 'scripts/build.ts'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw new Error(`the packages of ${root} could not be built: ${stderr}`);
    built.add(root);
  }
  return join(root, 'packages/cli/dist/main.js');
}

export interface CommandOptions {
  /** The data folder. */
  readonly folder: string;
  readonly database?: string | undefined;
  /** By default, the core of the server. */
  readonly cores?: string | undefined;
  /** Further flags of `serve`. */
  readonly flags?: readonly string[] | undefined;
}

/** Starts `fieldroster serve`, logging to a file, and waits until it listens. */
export async function startBuiltCommand(
  bench: Bench,
  { root, profileFile }: Subject,
  { folder, database, cores = bench.cores.server, flags = [] }: CommandOptions,
): Promise<Serving> {
  const profile = profileFile === undefined ? [] : profileFlags(profileFile);
  const start = [...profile, builtCommand(root), 'serve', '--data', folder, '--port', '0', '--json'];
  const serve = [...start, ...flags];
  if (database !== undefined) serve.push('--database', database);
  const [command, args] = pinned(cores, process.execPath, serve);
  const output = join(bench.newFolder(), 'output');
  const child = spawn(command, args, {
    stdio: ['ignore', openSync(output, 'a'), 'inherit'],
    env: quietEnvironment(),
  });
  const ended = once(child, 'exit');
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    process.off('exit', kill);
  };
  for (;;) {
    const [, url] = /^\{"url":"([^"]+)"/m.exec(readFileSync(output, 'utf8')) ?? [];
    if (url !== undefined) return { pid: child.pid ?? 0, url, stop };
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the process ended: ${args.join(' ')}`);
    await delay(lookIntervalMs);
  }
}

const lookIntervalMs = 2;

function profileFlags(file: string): string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${dirname(file)}`, `--cpu-prof-name=${basename(file)}`];
}

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Bench, Cores, SeededDirectory, Serving, Subject } from '../measurement.ts';
import { startServer } from '../process/start-server.ts';

const built = new Set<string>();

/** The published command, because the sources take longer to start and need more memory. */
export function builtCommand(root: string): string {
  if (!built.has(root)) {
    const args = ['--conditions=fieldroster-source', 'scripts/build.ts'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`the packages of ${root} could not be built: ${stderr}`);
    built.add(root);
  }
  return join(root, 'packages/cli/dist/main.js');
}

export interface CommandOptions {
  /** By default, the core of the server. */
  readonly cores?: keyof Cores;
  /** Further flags of `serve`. */
  readonly flags?: readonly string[];
}

/** Starts `fieldroster serve`, logging to a file, and waits until it listens. */
export function startBuiltCommand(
  bench: Bench,
  { root }: Subject,
  { folder, database }: Pick<SeededDirectory, 'folder' | 'database'>,
  { flags = [], ...options }: CommandOptions = {},
): Promise<Serving> {
  const place = ['--data', folder, ...(database === undefined ? [] : ['--database', database])];
  const serve = [builtCommand(root), 'serve', ...place, '--port', '0', '--json', ...flags];
  return startServer(bench, serve, options);
}

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Subject } from '../measurement.ts';
import { quietEnvironment } from '../process/child.ts';
import { pinned } from '../process/pinned.ts';
import type { Serving } from '../process/serving.ts';

const built = new Set<string>();

/** The command as it is published, not its sources: what starting takes, in time and memory, is another. */
function builtCommand(root: string): string {
  if (!built.has(root)) {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build.ts'], {
      cwd: root,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the packages of ${root} could not be built: ${stderr}`);
    built.add(root);
  }
  return join(root, 'packages/cli/dist/main.js');
}

/** Starts `fieldroster serve`, logging to a file, and waits until it listens. */
export async function startBuiltCommand(bench: Bench, subject: Subject, folder: string): Promise<Serving> {
  const serve = [builtCommand(subject.root), 'serve', '--data', folder, '--port', '0', '--json'];
  const [command, args] = pinned(bench.cores.server, process.execPath, serve);
  const output = join(bench.newFolder(), 'output');
  const child = spawn(command, args, {
    stdio: ['ignore', openSync(output, 'a'), 'inherit'],
    env: quietEnvironment(),
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  for (;;) {
    const [, url] = /^\{"url":"([^"]+)"/m.exec(readFileSync(output, 'utf8')) ?? [];
    if (url !== undefined) return { pid: child.pid ?? 0, url, stop };
    if (child.exitCode !== null) throw new Error(`the process ended: ${args.join(' ')}`);
    await delay(lookIntervalMs);
  }
}

const lookIntervalMs = 2;

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Bench, Contender, Sample, Subject } from '../measurement.ts';
import { quietEnvironment } from '../process/child.ts';
import { pinned } from '../process/pinned.ts';
import { usageOf } from '../process/usage.ts';
import { keptDirectory } from './fieldroster.ts';

/** `fieldroster serve` of a checkout, started anew in each round; its value is the time until it listens. */
export async function serveCommand(bench: Bench, subject: Subject): Promise<Contender> {
  const { folder } = await keptDirectory(bench, subject);
  const script = join(subject.root, 'packages/cli/src/main.ts');
  const node = [...process.execArgv, script, 'serve', '--data', folder, '--port', '0', '--json'];
  const [command, args] = pinned(bench.cores.server, process.execPath, node);
  return { measure: () => startOnce(command, args), stop: async () => undefined };
}

async function startOnce(command: string, args: string[]): Promise<Sample> {
  const startedAt = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env: quietEnvironment() });
  const ended = once(child, 'exit');
  const said = once(createInterface(child.stdout), 'line');
  const listens = await Promise.race([said.then(() => true), ended.then(() => false)]);
  if (!listens) throw new Error(`the process ended: ${args.join(' ')}`);
  const value = performance.now() - startedAt;
  const usage = usageOf(child.pid ?? 0);
  child.kill('SIGTERM');
  await ended;
  return { value, ...(usage && { residentBytes: usage.residentBytes }) };
}

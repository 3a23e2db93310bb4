import type { Bench, Contender, Sample, Subject } from '../measurement.ts';
import { usageOf } from '../process/usage.ts';
import { startBuiltCommand } from './built-command.ts';
import { keptDirectory } from './fieldroster.ts';

/** `fieldroster serve` of a checkout, started anew in each round; its value is the time until it listens. */
export async function serveCommand(bench: Bench, subject: Subject): Promise<Contender> {
  const { folder } = await keptDirectory(bench, subject);
  // Once for nothing: the build is made, and the programs are in memory.
  await (await startBuiltCommand(bench, subject, { folder })).stop();
  return { measure: () => startOnce(bench, subject, folder), stop: async () => undefined };
}

async function startOnce(bench: Bench, subject: Subject, folder: string): Promise<Sample> {
  const startedAt = performance.now();
  const { pid, stop } = await startBuiltCommand(bench, subject, { folder });
  const value = performance.now() - startedAt;
  const usage = usageOf(pid);
  await stop();
  return { value, ...(usage && { residentBytes: usage.residentBytes }) };
}

import type { Bench, Contender, Subject } from '../measurement.ts';
import { usageOf } from '../process/usage.ts';
import { startBuiltCommand } from './built-command.ts';
import { keptDirectory } from './fieldroster.ts';

/** The time until `fieldroster serve` listens; each round starts a new process. */
export async function startingCommand(bench: Bench, subject: Subject): Promise<Contender> {
  const { folder } = await keptDirectory(bench, subject);
  const start = () => startBuiltCommand(bench, subject, { folder });
  // The first start builds the command and brings its files into the page cache.
  await (await start()).stop();
  return {
    async measure() {
      const startedAt = performance.now();
      const { pid, stop } = await start();
      const value = performance.now() - startedAt;
      const usage = usageOf(pid);
      await stop();
      return { value, ...(usage && { anonymousBytes: usage.anonymousBytes }) };
    },
    stop: async () => {},
  };
}

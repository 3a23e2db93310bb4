import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, SeededDirectory, Subject } from '../measurement.ts';
import { type LoadPlan, ServerUnderLoad } from './server-under-load.ts';

export const fieldrosterScript = fileURLToPath(new URL('./serve-fieldroster.ts', import.meta.url));

type Plan = Omit<LoadPlan, 'appId' | 'appSecret'>;

/** The server of a checkout with its default settings, logging to a file, under the load that is planned. */
export async function fieldroster(
  bench: Bench,
  subject: Subject,
  plan: (directory: SeededDirectory) => Plan,
  cores = bench.cores.server,
): Promise<ServerUnderLoad> {
  const directory = await bench.newDirectory(subject);
  const { folder, appId, appSecret } = directory;
  const outputFile = join(bench.newFolder(), 'server.log');
  return ServerUnderLoad.start(
    bench,
    { script: fieldrosterScript, args: [subject.root, folder], cores, outputFile },
    { ...plan(directory), appId, appSecret },
  );
}

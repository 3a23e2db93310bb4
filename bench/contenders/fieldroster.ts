import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signedBy } from '../load/request-file.ts';
import type { Bench, EngineName, SeededDirectory, Subject } from '../measurement.ts';
import { Child } from '../process/child.ts';
import type { Serving } from '../process/serving.ts';
import { ServerUnderLoad, type Traffic } from './server-under-load.ts';

const script = fileURLToPath(new URL('./serve-fieldroster.ts', import.meta.url));

export interface FieldrosterOptions {
  /** The core of the server when left out. */
  readonly cores?: string | undefined;
  readonly engine?: EngineName;
}

/** The server of a checkout with its default settings, logging to a file, under the load that is planned. */
export async function fieldroster(
  bench: Bench,
  subject: Subject,
  plan: (directory: SeededDirectory) => Traffic,
  options: FieldrosterOptions = {},
): Promise<ServerUnderLoad> {
  const { load } = await serveFieldroster(bench, subject, options);
  return load(plan);
}

/** The same server, to be put under one load after another. */
export async function serveFieldroster(
  bench: Bench,
  subject: Subject,
  { cores = bench.cores.server, engine = 'SQLite' }: FieldrosterOptions,
) {
  const directory = await bench.newDirectory(subject, engine);
  const database = engine === 'PostgreSQL' ? await bench.postgres() : undefined;
  const { folder, database: url = '' } = directory;
  const outputFile = join(bench.newFolder(), 'server.log');
  const serving: Serving = await Child.serve({
    script,
    args: [subject.root, folder, url],
    cores,
    outputFile,
  });
  const proof = signedBy(directory);
  const load = (plan: (directory: SeededDirectory) => Traffic) =>
    new ServerUnderLoad(bench, serving, { ...plan(directory), proof }, database);
  return { load, stop: () => serving.stop() };
}

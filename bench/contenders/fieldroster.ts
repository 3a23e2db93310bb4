import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readThrough } from '../directory/read-through.ts';
import { inHttp, signedBy } from '../load/request-file.ts';
import type { Bench, Contender, EngineName, SeededDirectory, Subject } from '../measurement.ts';
import { Child } from '../process/child.ts';
import type { Serving } from '../process/serving.ts';
import { type CommandOptions, startBuiltCommand } from './built-command.ts';
import { ServerUnderLoad, type Traffic } from './server-under-load.ts';

const script = fileURLToPath(new URL('./serve-fieldroster.ts', import.meta.url));

export interface FieldrosterOptions {
  /** The core of the server when left out. */
  readonly cores?: string | undefined;
  readonly engine?: EngineName;
  /** A copy of its own when left out. */
  readonly directory?: SeededDirectory;
}

type Plan = (directory: SeededDirectory) => Traffic;

/** The published command of a checkout with its default settings, logging to a file, under the load that is planned. */
export async function fieldroster(
  bench: Bench,
  subject: Subject,
  plan: Plan,
  options: FieldrosterOptions = {},
): Promise<ServerUnderLoad> {
  const { load } = await serveFieldroster(bench, subject, options);
  return load(plan);
}

/** The same server, to be put under one load after another. */
export async function serveFieldroster(bench: Bench, subject: Subject, options: FieldrosterOptions = {}) {
  const { cores, engine = 'SQLite' } = options;
  const directory = options.directory ?? (await bench.newDirectory(subject, engine));
  const database = engine === 'PostgreSQL' ? await bench.postgres() : undefined;
  const start = bench.profiled ? serveSources : startBuiltCommand;
  const { folder } = directory;
  const serving = await start(bench, subject, { folder, database: directory.database, cores });
  const encode = inHttp(signedBy(directory));
  const load = (plan: Plan) => new ServerUnderLoad(bench, serving, { ...plan(directory), encode }, database);
  return { url: serving.url, directory, load, stop: () => serving.stop() };
}

/** The same from its sources, which can be told to write a profile. */
function serveSources(
  bench: Bench,
  { root }: Subject,
  { folder, database = '', cores = bench.cores.server }: CommandOptions,
): Promise<Serving> {
  const outputFile = join(bench.newFolder(), 'server.log');
  return Child.serve({ script, args: [root, folder, database], cores, outputFile });
}

/** One copy of a directory for all scenarios of a group: a large one takes its time. */
export function keptDirectory(bench: Bench, subject: Subject): Promise<SeededDirectory> {
  return bench.keep(`directory ${subject.users} ${subject.root}`, () => bench.newDirectory(subject));
}

/** One server on it for all scenarios of a group. The system has its files in memory when a round begins. */
export async function keptFieldroster(bench: Bench, subject: Subject, plan: Plan): Promise<Contender> {
  const { directory, load } = await bench.keep(
    `server ${subject.users} ${subject.root}`,
    async () => serveFieldroster(bench, subject, { directory: await keptDirectory(bench, subject) }),
    (server) => server.stop(),
  );
  const contender = load(plan);
  return {
    async measure(seconds) {
      await readThrough(directory.folder);
      return contender.measure(seconds);
    },
    profile: (seconds, file) => contender.profile(seconds, file),
    stop: async () => {},
  };
}

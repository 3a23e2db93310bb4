import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readThrough } from '../directory/directory-files.ts';
import { inHttp, signedBy } from '../load/requests.ts';
import type { Bench, Contender, EngineName, SeededDirectory, Serving, Subject } from '../measurement.ts';
import { Child } from '../process/child.ts';
import { type CommandOptions, startBuiltCommand } from './built-command.ts';
import { ServerUnderLoad, type Traffic } from './server-under-load.ts';

const script = fileURLToPath(new URL('./serve-fieldroster.ts', import.meta.url));

export interface FieldrosterOptions {
  /** By default, the core of the server. */
  readonly cores?: string | undefined;
  readonly engine?: EngineName;
  /** Further flags of `serve`; without effect with --profile. */
  readonly flags?: readonly string[];
  /** By default, a new copy. */
  readonly directory?: SeededDirectory;
}

type Plan = (directory: SeededDirectory) => Traffic;

/** The published command of a checkout with default settings, logging to a file, under the planned load. */
export async function fieldroster(
  bench: Bench,
  subject: Subject,
  plan: Plan,
  options: FieldrosterOptions = {},
): Promise<ServerUnderLoad> {
  const { load } = await serveFieldroster(bench, subject, options);
  return load(plan);
}

/** The same server for several loads in turn. */
export async function serveFieldroster(bench: Bench, subject: Subject, options: FieldrosterOptions = {}) {
  const { cores, engine = 'SQLite', flags } = options;
  const directory = options.directory ?? (await bench.newDirectory(subject, engine));
  const database = engine === 'PostgreSQL' ? await bench.postgres() : undefined;
  const start = bench.profiled ? serveSources : startBuiltCommand;
  const { folder } = directory;
  const serving = await start(bench, subject, { folder, database: directory.database, cores, flags });
  const encode = inHttp(signedBy(directory));
  const load = (plan: Plan) => new ServerUnderLoad(bench, serving, { ...plan(directory), encode }, database);
  return { url: serving.url, directory, load, stop: () => serving.stop() };
}

/** The server from its sources, which can write a profile. */
function serveSources(
  bench: Bench,
  { root }: Subject,
  { folder, database = '', cores = bench.cores.server }: CommandOptions,
): Promise<Serving> {
  const outputFile = join(bench.newFolder(), 'server.log');
  return Child.serve({ script, args: [root, folder, database], cores, outputFile });
}

/** One copy of a directory for all scenarios of a group, because copying a large one takes long. */
export function keptDirectory(
  bench: Bench,
  subject: Subject,
  engine: EngineName = 'SQLite',
): Promise<SeededDirectory> {
  const key = `directory ${engine} ${subject.users} ${subject.root}`;
  return bench.keep(key, () => bench.newDirectory(subject, engine));
}

/** One server for all scenarios of a group. The page cache holds its files when a round begins. */
export async function keptFieldroster(
  bench: Bench,
  subject: Subject,
  plan: Plan,
  engine: EngineName = 'SQLite',
): Promise<Contender> {
  const { directory, load } = await bench.keep(
    `server ${engine} ${subject.users} ${subject.root}`,
    async () =>
      serveFieldroster(bench, subject, { engine, directory: await keptDirectory(bench, subject, engine) }),
    (server) => server.stop(),
  );
  const contender = load(plan);
  return {
    async measure(seconds) {
      if (directory.database === undefined) await readThrough(directory.folder);
      return contender.measure(seconds);
    },
    profile: (seconds, file) => contender.profile(seconds, file),
    stop: async () => {},
  };
}

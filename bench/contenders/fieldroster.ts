import { readThrough } from '../directory/directory-files.ts';
import { inHttp, signedBy } from '../load/requests.ts';
import type { Bench, Contender, EngineName, SeededDirectory, Subject } from '../measurement.ts';
import { startBuiltCommand } from './built-command.ts';
import { ServerUnderLoad, type Traffic } from './server-under-load.ts';

export interface FieldrosterOptions {
  /** By default, the core of the server. */
  readonly cores?: string | undefined;
  readonly engine?: EngineName;
  /** Further flags of `serve`. */
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
  const serving = await startBuiltCommand(bench, subject, {
    ...directory,
    cores,
    ...(flags !== undefined && { flags }),
  });
  const encode = inHttp(signedBy(directory));
  const load = (plan: Plan) => new ServerUnderLoad(bench, serving, { ...plan(directory), encode }, database);
  return { url: serving.url, directory, load, stop: () => serving.stop() };
}

/** One copy of a directory for all scenarios of a group, because copying a large one takes a long time. */
export function keptDirectory(bench: Bench, subject: Subject): Promise<SeededDirectory> {
  const key = `directory ${subject.users} ${subject.root}`;
  return bench.keep(key, () => bench.newDirectory(subject));
}

/** One server for all scenarios of a group. The page cache holds its files when a round begins. */
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
    stop: async () => {},
  };
}

import { readThrough } from '../directory/seeded-directories.ts';
import { inHttp, signedBy } from '../load/requests.ts';
import type {
  Bench,
  Contender,
  EngineName,
  SeededDirectory,
  StartContender,
  Subject,
} from '../measurement.ts';
import { type CommandOptions, startBuiltCommand } from './built-command.ts';
import { type TrafficOf, underLoad } from './under-load.ts';

export interface FieldrosterOptions extends CommandOptions {
  readonly engine?: EngineName;
  /** By default, a new copy. */
  readonly directory?: SeededDirectory;
}

/** The published command of a checkout with default settings, logging to a file, under load. */
export function fieldroster(trafficOf: TrafficOf, options: FieldrosterOptions = {}): StartContender {
  return async (bench, subject) => (await serveFieldroster(bench, subject, options))(trafficOf);
}

/** The same server for several loads in turn. */
export async function serveFieldroster(
  bench: Bench,
  subject: Subject,
  { engine, directory: given, ...options }: FieldrosterOptions = {},
): Promise<(trafficOf: TrafficOf) => Contender> {
  const directory = given ?? (await bench.newDirectory(subject, engine));
  const database = engine === 'PostgreSQL' ? await bench.postgres() : undefined;
  const serving = await startBuiltCommand(bench, subject, directory, options);
  const encode = inHttp(signedBy(directory));
  return (trafficOf) => underLoad(bench, serving, { ...trafficOf(directory.users), encode }, database);
}

/** One copy of a directory for all scenarios of a group, because copying a large one takes a long time. */
export function sharedDirectory(bench: Bench, subject: Subject): Promise<SeededDirectory> {
  return bench.keep(`directory ${subject.users} ${subject.root}`, (group) => group.newDirectory(subject));
}

/** One server for all scenarios of a group. The page cache holds its files when a round begins. */
export function sharedFieldroster(trafficOf: TrafficOf): StartContender {
  return async (bench, subject) => {
    const directory = await sharedDirectory(bench, subject);
    const load = await bench.keep(`server ${subject.users} ${subject.root}`, (group) =>
      serveFieldroster(group, subject, { directory }),
    );
    const contender = load(trafficOf);
    return async (seconds) => {
      await readThrough(directory.folder);
      return contender(seconds);
    };
  };
}

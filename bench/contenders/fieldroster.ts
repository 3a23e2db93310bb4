import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/workers/free-port.ts';
import { type Bench, openPart } from '../bench.ts';
import { benchPostgres } from '../directory/bench-postgres.ts';
import { type EngineName, newDirectory, readThrough } from '../directory/new-directory.ts';
import type { SeededDirectory, Subject } from '../directory/seed.ts';
import { signedBy } from '../load/requests.ts';
import type { Contender, StartContender } from '../measurement.ts';
import type { Cores } from '../process/pinned.ts';
import { type Serving, startServer } from '../process/start.ts';
import { usageOf } from '../process/usage.ts';
import { type TrafficOf, underLoad } from './under-load.ts';

/** Builds the published command once, because the sources take longer to start and need more memory. */
function builtCommand(bench: Bench, root: string): Promise<string> {
  return bench.keep(`command ${root}`, async () => {
    const args = ['--conditions=fieldroster-source', 'scripts/build.ts'];
    execFileSync(process.execPath, args, { cwd: root, stdio: 'pipe' });
    return join(root, 'packages/cli/dist/main.js');
  });
}

interface CommandOptions {
  /** By default, the core of the server. */
  readonly cores?: keyof Cores;
  /** Further flags of `serve`. */
  readonly flags?: readonly string[];
}

/** Starts `fieldroster serve`, logging to a file, and waits until it listens. */
export async function startFieldroster(
  bench: Bench,
  { root }: Subject,
  { folder, database }: Pick<SeededDirectory, 'folder' | 'database'>,
  { cores, flags = [] }: CommandOptions = {},
): Promise<Serving> {
  const program = await builtCommand(bench, root);
  const place = ['--data', folder, ...(database === undefined ? [] : ['--database', database])];
  const port = await freePort('127.0.0.1');
  const command = [process.execPath, program, 'serve', ...place, '--port', `${port}`, ...flags];
  return startServer(bench, port, command, { cores });
}

interface FieldrosterOptions extends CommandOptions {
  readonly engine?: EngineName;
  /** By default, a new copy. */
  readonly directory?: SeededDirectory;
}

/** Measures the command with default settings under load, on a new copy of a directory. */
export function fieldroster(trafficOf: TrafficOf, options: FieldrosterOptions = {}): StartContender {
  return async (bench, subject) => (await serveFieldroster(bench, subject, options))(trafficOf);
}

/** Starts the same server for several loads in turn. */
export async function serveFieldroster(
  bench: Bench,
  subject: Subject,
  { engine, directory: given, ...options }: FieldrosterOptions = {},
): Promise<(trafficOf: TrafficOf) => Contender> {
  const directory = given ?? (await newDirectory(bench, subject, engine));
  const database = engine === 'PostgreSQL' ? await benchPostgres(bench) : undefined;
  const serving = await startFieldroster(bench, subject, directory, options);
  const headersOf = signedBy(directory);
  return (trafficOf) => underLoad(bench, serving, { ...trafficOf(directory.users), headersOf }, database);
}

/** One copy of a directory for all rows of one size, because copying a large one takes a long time. */
function sharedDirectory(bench: Bench, subject: Subject): Promise<SeededDirectory> {
  return bench.keep(`directory ${subject.users} ${subject.root}`, (run) => newDirectory(run, subject));
}

/** One server for all rows of one size. The page cache holds its files when a round begins. */
export function sharedFieldroster(trafficOf: TrafficOf): StartContender {
  return async (bench, subject) => {
    const directory = await sharedDirectory(bench, subject);
    const load = await bench.keep(`server ${subject.users} ${subject.root}`, (run) =>
      serveFieldroster(run, subject, { directory }),
    );
    const contender = load(trafficOf);
    return async (seconds) => {
      await readThrough(directory.folder);
      return contender(seconds);
    };
  };
}

/** Measures the time until `fieldroster serve` listens; each round starts a new process. */
export async function startingCommand(bench: Bench, subject: Subject): Promise<Contender> {
  const { folder } = await sharedDirectory(bench, subject);
  const startOnce = async () => {
    await using round = openPart(bench);
    const startedAt = performance.now();
    const { pid } = await startFieldroster(round, subject, { folder });
    const value = performance.now() - startedAt;
    return { value, anonymousBytes: usageOf(pid)?.anonymousBytes };
  };
  // The first start builds the command and brings its files into the page cache.
  await startOnce();
  return startOnce;
}

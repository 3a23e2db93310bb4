import cluster from 'node:cluster';
import { resolve } from 'node:path';
import { limits } from '@fieldroster/contract';
import { BackupSchedule, type MakeBackup } from './admin/backup/backup-schedule.ts';
import { openDirectory } from './admin/open-directory.ts';
import { type App, type AppParts, createApp, type StopOptions } from './app.ts';
import { KeyUpkeep } from './applications/key-upkeep.ts';
import { warnOfSeparateServers } from './applications/warn-of-separate-servers.ts';
import { type HostAndPort, joinHostAndPort, type Settings, splitHostAndPort } from './config.ts';
import type { DeploymentCommands } from './console/deployment.ts';
import type { Database } from './database/database.ts';
import type { PrimaryHistory } from './database/postgres/connections/primary-history.ts';
import { endIfStartFails } from './errors/end-if-start-fails.ts';
import type { Logger } from './logging/logger.ts';
import type { Notice } from './logging/notice.ts';
import { openServerLog, type ServerLog } from './logging/server-log.ts';
import { isThisMachine } from './machine/is-this-machine.ts';
import { type AddressSettings, ListenError, toListenError } from './machine/listen-error.ts';
import { probeAddress } from './machine/probe-address.ts';
import { buildInfo } from './metrics/build-info.ts';
import { CallCounts } from './metrics/call-counts.ts';
import { lastBackup } from './metrics/last-backup.ts';
import type { MetricSnapshot } from './metrics/metric-snapshot.ts';
import { signatureFailures } from './metrics/signature-failures.ts';
import { type RunningMetrics, startMetrics } from './metrics/start-metrics.ts';
import type { WorkerReports } from './rates/worker-reports.ts';
import { startTracing } from './tracing/start-tracing.ts';

export { memoryWarnings } from './app.ts';
export { ListenError, type StopOptions };

/** Commands of the program around the server. Each runs in a separate process, away from requests. */
export interface ProgramCommands extends DeploymentCommands {
  readonly makeBackup: MakeBackup;
}

export interface RunningServer {
  /** URL on which it listens, including the base path. */
  readonly url: string;
  /** URL of the console, without a slash at the end; absent without a console. */
  readonly consoleUrl?: string | undefined;
  /** Keeps serving for the time of `--drain`, finishes the requests in flight, and closes the database. */
  stop(options?: StopOptions): Promise<void>;
  /** Reads the metrics of this process; absent without `--metrics`. */
  readonly readMetrics?: (() => Promise<MetricSnapshot>) | undefined;
}

/** A server in this process. */
export interface ServingProcess extends RunningServer {
  /** The time of `--drain`. */
  readonly drainSeconds: number;
  /** Reads the files of the master keys again. They are also read when they change. */
  rereadKeys(): Promise<void>;
}

export interface ServerOptions {
  /** The knowledge of the other workers about the database's primary; left out for a single process. */
  readonly primaryHistory?: PrimaryHistory;
  /** The other workers' use of rate limits; left out for a single process. */
  readonly workerReports?: WorkerReports;
  /** Without them no scheduled backup is made, and the console shows neither the doctor nor verifications. */
  readonly commands?: ProgramCommands;
  /** The release of the program, for the log and the metrics. */
  readonly release?: string;
  /** The log, which ends when the server has stopped or failed to start; one on standard output when left out. */
  readonly log?: ServerLog;
}

/** Opens the database, starts to listen, and logs. A start that fails ends the log too. */
export async function startServer(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  { log = openServerLog(settings, environment, cluster.isWorker), ...options }: ServerOptions = {},
): Promise<ServingProcess> {
  const { logger } = log;
  const notice: Notice = (fields, message) => logger.warn(fields, message);
  return endIfStartFails(async (started) => {
    started.defer(() => log.end());
    started.defer(await startTracing(environment, notice));
    const server = await openAndServe({ ...options, settings, environment, logger, notice });
    let stopOptions: StopOptions | undefined;
    started.defer(async () => {
      await server.stop(stopOptions);
      logger.info({}, 'stopped');
    });
    const stop = (options?: StopOptions) => {
      stopOptions = options;
      return started.disposeAsync();
    };
    return { ...server, stop };
  });
}

interface OpeningParts extends Omit<ServerOptions, 'log'> {
  readonly settings: Settings;
  readonly environment: NodeJS.ProcessEnv;
  readonly logger: Logger;
  readonly notice: Notice;
}

/** Opens the database and serves it. A start that fails closes it. */
function openAndServe(parts: OpeningParts): Promise<ServingProcess> {
  const { settings, environment, logger, notice, primaryHistory, workerReports, commands, release } = parts;
  const options = { environment, notice, ...(primaryHistory && { primaryHistory }) };
  return endIfStartFails(async (started) => {
    const { database, vault } = await openDirectory({ ...settings, ...options });
    started.defer(() => database.close());
    const folder = resolve(settings.data);
    const clockDifferenceMs = () => database.claims.clockDifferenceMs();
    const upkeep = { keys: database.keys, vault, folder, environment, log: logger, clockDifferenceMs };
    const keys = new KeyUpkeep(upkeep);
    started.defer(() => keys.stop());
    // Report the keys before opening the secrets, so that no rotation leaves this process out.
    await keys.start();
    await warnOfRefusals(database, settings, notice);
    const { processId } = keys;
    const { rateLimit } = settings;
    await warnOfSeparateServers(database, { rateLimit, processId, notice });
    const about = { workerReports, commands, release };
    const serving = await serve({ settings, database, vault, processId, logger, ...about });
    let stopOptions: StopOptions | undefined;
    started.defer(() => serving.stop(stopOptions));
    const stop = (options?: StopOptions) => {
      stopOptions = options;
      return started.disposeAsync();
    };
    return { ...serving, stop, rereadKeys: () => keys.reread() };
  });
}

interface ServerParts
  extends Pick<AppParts, 'settings' | 'database' | 'vault' | 'processId' | 'logger' | 'workerReports'> {
  readonly commands: ProgramCommands | undefined;
  readonly release: string | undefined;
}

/** Serves requests and metrics, and schedules backups, on a database that is open. */
function serve(parts: ServerParts): Promise<Omit<ServingProcess, 'rereadKeys'>> {
  const { settings, database, logger, release } = parts;
  return endIfStartFails(async (started) => {
    const counts = settings.metrics === '' ? undefined : new CallCounts();
    const app = await createApp({ ...parts, now: Date.now, observer: counts });
    let metrics: RunningMetrics | undefined;
    // They are served for as long as the app is.
    started.defer(() => metrics?.stop());
    // Until the start has succeeded, nobody was served, so no proxy has to notice that this node stops.
    let stopOptions: StopOptions | undefined = { replaced: true };
    let schedule: BackupSchedule | undefined;
    started.defer(async () => {
      // A backup under way takes time to end, which must not delay the drain.
      const ended = schedule?.stop();
      try {
        await app.stop(stopOptions);
      } finally {
        await ended;
      }
    });
    metrics = counts && (await collectMetrics({ counts, app, database, settings, release }));
    const addresses = await listen(app, settings);
    const url = addresses.main + settings.basePath;
    const consoleUrl = settings.console ? `${addresses.console}/console` : undefined;
    if (app.consoleListener !== undefined) logger.info({ url: consoleUrl }, 'console listening');
    logger.info({ url, replay: settings.replay, http_status: settings.httpStatus, release }, 'listening');
    if (metrics?.url !== undefined) logger.info({ url: metrics.url }, 'metrics listening');
    warnOfPlainHttp(settings, logger);
    schedule = startBackups(parts);
    const stop = (options?: StopOptions) => {
      stopOptions = options;
      return started.disposeAsync();
    };
    const { drainSeconds } = settings;
    return { url, consoleUrl, drainSeconds, stop, readMetrics: metrics?.snapshot };
  });
}

/** The requests that are refused while nobody can know whether they are new. */
const refusedUnder = { write: 'signed writes', nonce: 'signed reads and writes', off: undefined };

/**
 * Says at the start that signed requests are refused, because nothing else shows it: `/readyz` is 200. One worker says it
 * for all.
 */
async function warnOfRefusals({ claims }: Database, { replay }: Settings, notice: Notice): Promise<void> {
  const refused = refusedUnder[replay];
  if (refused === undefined || (cluster.isWorker && cluster.worker?.id !== 1)) return;
  const purgedTimestampSeconds = (await claims.purgedThroughSeconds()) - limits.timestampSkewSeconds;
  const nowMs = await claims.databaseTimeMs();
  const untilMs = (purgedTimestampSeconds + 1) * 1000;
  if (untilMs <= nowMs) return;
  const until = new Date(untilMs).toISOString();
  notice(
    { until },
    `${refused} are refused until ${until}, as after a restore; see \`fieldroster claims status\``,
  );
}

/** The signature protects a request from being changed, but hides nothing: neither names nor passwords. */
function warnOfPlainHttp(settings: Settings, logger: Logger): void {
  const { host, trustProxy, console, consoleListen } = settings;
  const hosts = [host, ...(console && consoleListen !== '' ? [splitHostAndPort(consoleListen).host] : [])];
  const open = hosts.filter((each) => !isThisMachine(each));
  if (open.length === 0 || trustProxy !== '') return;
  const cure = 'put a proxy that serves TLS in front of it, and name the proxy in --trust-proxy';
  logger.warn({ hosts: open }, `other machines can reach this server by plain HTTP; ${cure}`);
}

function startBackups({ settings, database, logger, commands }: ServerParts): BackupSchedule | undefined {
  if (commands === undefined) return undefined;
  const { makeBackup } = commands;
  const schedule = new BackupSchedule({ settings, backups: database.backups, makeBackup, logger });
  schedule.start();
  return schedule;
}

interface MeasuredParts extends Pick<ServerParts, 'settings' | 'database' | 'release'> {
  readonly counts: CallCounts;
  readonly app: App;
}

/** Collects the metrics of this process, and serves them unless a supervisor does that for all its workers. */
function collectMetrics({
  counts,
  app,
  database,
  settings,
  release,
}: MeasuredParts): Promise<RunningMetrics> {
  const sources = [
    ...counts.metricSources(),
    signatureFailures(counts, app.mistakes),
    ...app.metricSources(),
    ...database.metricSources(),
    ...(release === undefined ? [] : [buildInfo(release)]),
    lastBackup(async () => (await database.backups.lastGood())?.atMs),
  ];
  return startMetrics(sources, cluster.isWorker ? undefined : settings.metrics);
}

/**
 * Maximum number of connections waiting to be accepted. A proxy for thousands of clients opens thousands at once;
 * beyond this number it waits a second or more for each.
 */
const backlog = 4096;

const mainAddressSettings = { port: '--port or FIELDROSTER_PORT', host: '--host or FIELDROSTER_HOST' };

const consoleListenSetting = '--console-listen or FIELDROSTER_CONSOLE_LISTEN';
const consoleAddressSettings = { port: consoleListenSetting, host: consoleListenSetting };

/**
 * Finds out that another program listens on a port before a first start creates the data folder, which may be the wrong
 * one.
 *
 * @throws {ListenError}
 */
export async function requireFreePorts({ host, port, console, consoleListen }: Settings): Promise<void> {
  await requireFreePort({ host, port }, mainAddressSettings);
  if (console && consoleListen !== '')
    await requireFreePort(splitHostAndPort(consoleListen), consoleAddressSettings);
}

async function requireFreePort(address: HostAndPort, settings: AddressSettings): Promise<void> {
  // The system chooses a free one for 0.
  if (address.port === 0) return;
  try {
    await probeAddress(address);
  } catch (error) {
    throw toListenError(error, joinHostAndPort(address), settings);
  }
}

/** Listens on every address of the app, and returns their origins. */
async function listen({ listener, consoleListener }: App, { host, port, consoleListen }: Settings) {
  const main = await listenOn(listener, { host, port }, mainAddressSettings);
  if (consoleListener === undefined) return { main, console: main };
  const address = splitHostAndPort(consoleListen);
  return { main, console: await listenOn(consoleListener, address, consoleAddressSettings) };
}

async function listenOn(
  listener: App['listener'],
  address: HostAndPort,
  settings: AddressSettings,
): Promise<string> {
  try {
    return await listener.listen({ ...address, backlog });
  } catch (error) {
    throw toListenError(error, joinHostAndPort(address), settings);
  }
}

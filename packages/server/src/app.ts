import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { ApplicationDirectory } from './applications/application-directory.ts';
import type { SecretVault } from './applications/secret-vault.ts';
import { CallRecorder } from './call-records/call-recorder.ts';
import type { Settings } from './config.ts';
import { type Console, createConsole } from './console/create-console.ts';
import type { DeploymentCommands } from './console/deployment.ts';
import type { Database } from './database/database.ts';
import { endIfStartFails } from './errors/end-if-start-fails.ts';
import { MemoryQueue } from './fairness/memory-queue.ts';
import type { Wait } from './fairness/tar-pit.ts';
import { readProcessMemory } from './http/body/body-memory.ts';
import { createListeners, type Listeners } from './http/create-listener.ts';
import type { Drain } from './http/drain.ts';
import { createLimits } from './http/limits/create-limits.ts';
import { type MemoryShares, memorySharesOf } from './http/limits/memory-shares.ts';
import type { CallObserver } from './http/log/call-observer.ts';
import type { RunCall } from './http/operation-routes.ts';
import { RunningCalls } from './http/running-calls.ts';
import { limitRepeats } from './logging/limit-repeats.ts';
import type { Logger } from './logging/logger.ts';
import type { MetricSource } from './metrics/metric-source.ts';
import { readyGauge } from './metrics/ready-gauge.ts';
import { HashMemory } from './passwords/hash-memory.ts';
import { PasswordGuesses } from './passwords/password-guesses.ts';
import { type Argon2Cost, PasswordHasher } from './passwords/password-hasher.ts';
import { MismatchHelp } from './pipeline/failures/mismatch-help.ts';
import { AnswerCache } from './pipeline/steps/answer-cache.ts';
import { LargeBodies } from './pipeline/steps/large-bodies.ts';
import { LargeDryRuns } from './pipeline/steps/large-dry-runs.ts';
import { ListQueue } from './pipeline/steps/list-queue.ts';
import { LongLists } from './pipeline/steps/long-lists.ts';
import { type PipelineParts, runPipeline } from './pipeline.ts';
import { RateExchange } from './rates/rate-exchange.ts';
import { RateLimits } from './rates/rate-limits.ts';
import type { WorkerReports } from './rates/worker-reports.ts';
import { clockCheck } from './readiness/clock-check.ts';
import { Readiness, type ReadinessOptions } from './readiness/readiness.ts';
import { AuditUpkeep } from './upkeep/audit-upkeep.ts';
import { ClaimsUpkeep } from './upkeep/claims-upkeep.ts';
import { PeriodicTask } from './upkeep/periodic-task.ts';
import { steadyClockFor } from './upkeep/steady-clock.ts';

export { memoryWarnings } from './http/body/memory-warning.ts';

/** External dependencies of the application; tests supply their own clock and logger. */
export interface AppParts {
  readonly settings: Settings;
  readonly database: Database;
  readonly vault: SecretVault;
  /** The id under which this process reports its keys. */
  readonly processId: string;
  readonly logger: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The other workers' use of rate limits; left out for a single process. */
  readonly workerReports?: WorkerReports | undefined;
  /** Commands that operators may run from the console; none when left out. */
  readonly commands?: DeploymentCommands | undefined;
  /** How refusals of password checks and of excess calls are delayed; by a timer when left out. */
  readonly waitToRefuse?: Wait;
  /** Waits while the node drains; with a timer when left out. */
  readonly waitToDrain?: (ms: number) => Promise<unknown>;
  /** Receives every answered request. Without it, nothing is counted. */
  readonly observer?: CallObserver | undefined;
  /** How often the readiness is checked, and how long a check may take; as in `Readiness` when left out. */
  readonly readinessLimits?: Pick<ReadinessOptions, 'intervalMs' | 'probeTimeoutMs'>;
  /** Measures the time spent on help with wrong signatures, in milliseconds; CPU time when left out. */
  readonly helpStopwatch?: (() => number) | undefined;
  /** Cost of new password hashes; as in `PasswordHasher` when left out. */
  readonly passwordCost?: Argon2Cost | undefined;
}

/** How a server stops. */
export interface StopOptions {
  /**
   * True when another process has taken over the port, or this one never served it: the node stays ready, does not wait
   * for `--drain`, and gives clients more time for one more request on each connection.
   */
  readonly replaced?: boolean;
  /** Called once the drain time is over. The server goes on accepting connections until it resolves. */
  readonly beforeClosing?: () => Promise<void>;
}

export interface App {
  readonly listener: FastifyInstance;
  /** The console's own listener, with `--console-listen`. */
  readonly consoleListener: FastifyInstance | undefined;
  readonly applications: ApplicationDirectory;
  readonly readiness: Readiness;
  readonly recorder: CallRecorder;
  /** How often each mistake was found behind a wrong signature. */
  readonly mistakes: ReadonlyMap<string, number>;
  /** The metrics of the application's parts; the database has its own. */
  metricSources(): readonly MetricSource[];
  /** Finishes the requests in flight and the work they leave behind. The database stays open. */
  stop(options?: StopOptions): Promise<void>;
}

/**
 * Quiet time before a connection is closed, in milliseconds. Clients that send a request sooner learn from its answer
 * that the connection ends.
 */
const idleMs = { stopped: 1_000, replaced: 5_000 };

/** Longer than calls take unless their client or database holds them up, except perhaps bulk calls. */
const closeTimeoutMs = 35_000;

const forgetFailuresIntervalMs = 10_000;

/** The work that a server does apart from requests. */
interface BackgroundWork {
  start(): void;
  stop(): void | Promise<void>;
}

/** Assembles the application from its parts. `main` opens the database. */
export function createApp(appParts: AppParts): Promise<App> {
  return endIfStartFails((started) => startApp(appParts, started));
}

async function startApp(appParts: AppParts, started: AsyncDisposableStack): Promise<App> {
  const { settings, logger, now, observer } = appParts;
  const applications = await startApplications(appParts, started);
  const shares = memorySharesOf(readProcessMemory(), settings);
  const parts = createPipelineParts(appParts, applications, shares);
  // Known only once the listeners exist, and those need the console.
  let operationsPort: () => number | undefined = () => undefined;
  const operatorsConsole = createOperatorsConsole(appParts, parts, () => operationsPort());
  const recorder = createRecorder(appParts);
  const background = [recorder, operatorsConsole, ...createUpkeep(appParts, parts)];
  // They end in the order in which they began: the recorder hands over its counts before anything can delay the end, and
  // the console ends its commands.
  for (const work of background.toReversed()) started.defer(() => work.stop());
  for (const work of background) work.start();
  const readiness = await startReadiness(appParts, started);
  const running = new RunningCalls();
  const limits = createLimits(appParts, shares);
  const run: RunCall = (call) => runPipeline(call, parts);
  const calls = { ...limits, run, runConsole: operatorsConsole.run, running, now, recorder };
  const listeners = createListeners(settings, { calls, readiness, logger, observer, shares });
  if (listeners.console !== undefined) operationsPort = () => portOf(listeners.main);
  let stopOptions: StopOptions = {};
  started.defer(() => running.ended());
  started.defer(() => stopListening(listeners, stopOptions, appParts));
  const { passwords, answers, lists, largeBodies, longLists, largeDryRuns } = parts;
  const queues = [passwords, lists, largeBodies, longLists, largeDryRuns, limits.admission];
  const isReady = () => readiness.state().ready && !listeners.main.isDraining();
  const measured = [applications, answers, ...queues, limits.refusalPace, listeners.connectionLimit];
  return {
    listener: listeners.main,
    consoleListener: listeners.console,
    applications,
    readiness,
    recorder,
    mistakes: parts.help.mistakes,
    metricSources: () => [...measured.flatMap((part) => part.metricSources()), readyGauge(isReady)],
    stop(options = {}) {
      stopOptions = options;
      // All parts end even if one fails.
      return started.disposeAsync();
    },
  };
}

async function startApplications(
  { database, vault, logger, now }: AppParts,
  started: AsyncDisposableStack,
): Promise<ApplicationDirectory> {
  const applications = new ApplicationDirectory(database, vault, now);
  started.defer(() => applications.stop());
  const reportStale = limitRepeats((cause) => logger.warn({ cause }, 'applications could not be refreshed'));
  await applications.start((error) => reportStale(String(error)));
  return applications;
}

function createOperatorsConsole(
  { settings, vault, processId, logger, commands }: AppParts,
  parts: PipelineParts,
  operationsPort: () => number | undefined,
): Console {
  return createConsole({ ...parts, settings, vault, processId, logger, commands, operationsPort });
}

function createRecorder({ settings, database, logger, now }: AppParts): CallRecorder {
  const clock = steadyClockFor(database);
  const warn = (error: unknown) =>
    logger.warn(
      { cause: String(error) },
      'old call records could not be purged; the next purge deletes them',
    );
  return new CallRecorder(database.bookkeeping.calls, settings.callsKeepDays, { now, clock, warn });
}

async function startReadiness(
  { database, logger, readinessLimits }: AppParts,
  started: AsyncDisposableStack,
): Promise<Readiness> {
  const checks = [...database.readinessChecks(), clockCheck(database.claims)];
  const readiness = new Readiness(checks, { logger, ...readinessLimits });
  started.defer(() => readiness.stop());
  await readiness.start();
  return readiness;
}

function createPipelineParts(
  appParts: AppParts,
  applications: ApplicationDirectory,
  { carriedOut, carriedOutMiddle }: MemoryShares,
): PipelineParts {
  const { settings, database, vault, now, waitToRefuse, helpStopwatch, passwordCost } = appParts;
  const memory = new MemoryQueue(carriedOut);
  return {
    database,
    applications,
    passwords: new PasswordHasher(new HashMemory(memory, carriedOut), passwordCost),
    guesses: new PasswordGuesses({
      failures: database.bookkeeping.passwordFailures,
      keyedHash: (text) => vault.keyedHash(text),
      // The database ends the windows of the counts by this clock.
      now: () => database.claims.estimateTimeMs(),
      wait: waitToRefuse,
    }),
    replay: settings.replay,
    rateLimits: new RateLimits(({ rateLimit }) => rateLimit ?? settings.rateLimit),
    answers: new AnswerCache(database, settings.replay),
    lists: new ListQueue(database, settings),
    largeBodies: new LargeBodies(carriedOut, carriedOutMiddle, memory),
    longLists: new LongLists(),
    largeDryRuns: new LargeDryRuns(),
    help: new MismatchHelp(helpStopwatch),
    now,
  };
}

/** Makes the background work that follows signed calls. */
function createUpkeep(
  { settings, database, logger, now, workerReports }: AppParts,
  { rateLimits }: PipelineParts,
): readonly BackgroundWork[] {
  const warn = (message: string) => (error: unknown) => logger.warn({ cause: String(error) }, message);
  return [
    new RateExchange({
      limits: rateLimits,
      now,
      workers: workerReports,
      board: database.rateReports,
      warn: warn('rate limits keep their last shares'),
    }),
    new ClaimsUpkeep(database.claims, logger),
    new AuditUpkeep(database, { keepDays: settings.auditKeepDays, logger }),
    new PeriodicTask(() => database.bookkeeping.passwordFailures.forgetEnded(), {
      intervalMs: forgetFailuresIntervalMs,
      onError: warn('old counts of failed passwords were kept'),
    }),
  ];
}

function portOf({ server }: FastifyInstance): number | undefined {
  const address = server.address();
  return address === null || typeof address === 'string' ? undefined : address.port;
}

/** Stops accepting connections, and closes each one once its requests are answered. */
async function stopListening(
  { main, console: consoleListener }: Listeners,
  { replaced = false, beforeClosing }: StopOptions,
  parts: AppParts,
): Promise<void> {
  if (!replaced) await drain(main, parts);
  await beforeClosing?.();
  const closing = { idleMs: replaced ? idleMs.replaced : idleMs.stopped, timeoutMs: closeTimeoutMs };
  await Promise.all([main.closeConnections(closing), consoleListener?.closeConnections(closing)]);
  await consoleListener?.close();
  await main.close();
}

/** Keeps serving while proxies notice that this node is about to stop. */
async function drain(listener: Drain, { settings, logger, waitToDrain = delay }: AppParts): Promise<void> {
  listener.beginDraining();
  const { drainSeconds } = settings;
  if (drainSeconds === 0) return;
  logger.info({ drain_seconds: drainSeconds }, 'draining');
  await waitToDrain(drainSeconds * 1000);
}

import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { ApplicationDirectory } from './applications/application-directory.ts';
import type { SecretVault } from './applications/secret-vault.ts';
import { AuditUpkeep } from './audit-upkeep.ts';
import { CallRecorder, failuresKeptDays } from './call-records/call-recorder.ts';
import { ClaimsUpkeep } from './claims-upkeep.ts';
import type { Settings } from './config.ts';
import { BackupVerification } from './console/backup-verification.ts';
import type { ConsoleCall } from './console/console-call.ts';
import { ConsoleUpkeep } from './console/console-upkeep.ts';
import { DailyCounts } from './console/daily-counts.ts';
import { type Deployment, type DeploymentCommands, oneAtATime } from './console/deployment.ts';
import { DirectoryCounts } from './console/directory-counts.ts';
import { KnownTenants } from './console/known-tenants.ts';
import { operatorLimit } from './console/operator-limit.ts';
import { runConsoleCall } from './console/run-console-call.ts';
import { Sessions } from './console/sessions.ts';
import type { Database } from './database/database.ts';
import { TarPit, type Wait } from './fairness/tar-pit.ts';
import { createAdmission } from './http/admission.ts';
import type { CallObserver } from './http/call-observer.ts';
import { createListeners } from './http/create-listener.ts';
import type { Drain } from './http/drain.ts';
import { RunningCalls } from './http/running-calls.ts';
import type { Logger } from './logger.ts';
import type { MetricSource } from './metrics/metric-source.ts';
import { ownRelease } from './own-release.ts';
import { PasswordGuesses } from './passwords/password-guesses.ts';
import { PasswordHasher } from './passwords/password-hasher.ts';
import { PeriodicTask } from './periodic-task.ts';
import { AnswerCache } from './pipeline/answer-cache.ts';
import type { Call } from './pipeline/call.ts';
import { MismatchHelp } from './pipeline/likely-cause.ts';
import { ListTurns } from './pipeline/list-turns.ts';
import { type PipelineParts, runPipeline } from './pipeline.ts';
import { RateExchange } from './rates/rate-exchange.ts';
import { RateLimits } from './rates/rate-limits.ts';
import type { WorkerReports } from './rates/rate-reports.ts';
import { clockCheck } from './readiness/clock-check.ts';
import { Readiness } from './readiness/readiness.ts';

/** External dependencies of the application; tests supply their own clock and logger. */
export interface AppParts {
  readonly settings: Settings;
  readonly database: Database;
  readonly vault: SecretVault;
  readonly logger: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The other workers' use of rate limits; left out for a single process. */
  readonly workerReports?: WorkerReports | undefined;
  /** Commands that operators may run from the console; none when left out. */
  readonly commands?: DeploymentCommands | undefined;
  /** How refusals of password checks and of excess calls are delayed; by a timer when left out. */
  readonly waitToRefuse?: Wait;
  /** Receives every answered request. Without it, nothing is counted. */
  readonly observer?: CallObserver | undefined;
  /** Measures the time spent on help with wrong signatures, in milliseconds; CPU time when left out. */
  readonly helpStopwatch?: (() => number) | undefined;
}

/** How a server stops. */
export interface StopOptions {
  /**
   * True when another process has taken over the port: the node stays ready, does not wait for `--drain`, and gives
   * clients more time for one more request on each connection.
   */
  readonly replaced?: boolean;
}

export interface App {
  readonly listener: FastifyInstance;
  /** The console's own, with `--console-listen`. */
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

/** Assembles the application from its parts. `main` opens the database. */
export async function createApp(appParts: AppParts): Promise<App> {
  const { settings, database, vault, logger, now } = appParts;
  const applications = new ApplicationDirectory(database, vault, now);
  await applications.start((error) =>
    logger.warn({ cause: String(error) }, 'applications could not be refreshed'),
  );
  const rateLimits = new RateLimits(({ rateLimit }) => rateLimit ?? settings.rateLimit);
  const passwords = new PasswordHasher();
  const answers = new AnswerCache(database, settings.replay);
  const lists = new ListTurns(database, settings);
  const help = new MismatchHelp(appParts.helpStopwatch);
  const parts: PipelineParts = {
    database,
    applications,
    passwords,
    guesses: new PasswordGuesses({
      failures: database.bookkeeping.passwordFailures,
      keyedHash: (text) => vault.keyedHash(text),
      now,
      wait: appParts.waitToRefuse,
    }),
    replay: settings.replay,
    rateLimits,
    answers,
    lists,
    help,
    now,
  };
  const recorder = new CallRecorder(database.bookkeeping.calls, settings.callsKeepDays, now);
  recorder.start();
  const running = new RunningCalls();
  const run = (call: Call) => runPipeline(call, parts);
  const rateExchange = new RateExchange({
    limits: rateLimits,
    now,
    workers: appParts.workerReports,
    board: database.rateReports,
    warn: (error) => logger.warn({ cause: String(error) }, 'rate limits keep their last shares'),
  });
  rateExchange.start();
  const upkeep = new ClaimsUpkeep(database.claims, logger);
  upkeep.start();
  const auditUpkeep = new AuditUpkeep(database, { keepDays: settings.auditKeepDays, logger });
  auditUpkeep.start();
  const forgetFailures = new PeriodicTask(() => database.bookkeeping.passwordFailures.forgetEnded(), {
    intervalMs: forgetFailuresIntervalMs,
    onError: (error) => logger.warn({ cause: String(error) }, 'old counts of failed passwords were kept'),
  });
  forgetFailures.start();
  const sessions = new Sessions({
    operators: database.operators,
    operatorSessions: database.bookkeeping.operatorSessions,
    now,
  });
  const consoleUpkeep = new ConsoleUpkeep(sessions, logger);
  if (settings.console) consoleUpkeep.start();
  const deployment = deploymentOf(appParts);
  const counts = new DirectoryCounts(database, logger, now);
  const dailyCounts = new DailyCounts({ database, counts, logger, now });
  if (settings.console) dailyCounts.start();
  const consoleParts = {
    ...parts,
    deployment,
    tenants: new KnownTenants(database.applications),
    counts,
    dailyCounts,
    vault,
    sessions,
    basePath: settings.basePath,
    operationsPort: () => (listeners.console === undefined ? undefined : portOf(listeners.main)),
    release: ownRelease,
    limitRate: operatorLimit(now),
  };
  const runConsole = (call: ConsoleCall) => runConsoleCall(call, consoleParts);
  const readiness = new Readiness([...database.readinessChecks(), clockCheck(database.claims)], { logger });
  await readiness.start();
  const admission = createAdmission(settings, logger);
  const refusals = new TarPit(appParts.waitToRefuse);
  const listeners = createListeners(
    settings,
    { run, runConsole, running, now, recorder, admission, refusals },
    readiness,
    logger,
    appParts.observer,
  );
  const stop = async ({ replaced = false }: StopOptions = {}) => {
    const { main, console } = listeners;
    if (!replaced) await drain(main, settings.drainSeconds, logger);
    const closing = { idleMs: replaced ? idleMs.replaced : idleMs.stopped, timeoutMs: closeTimeoutMs };
    await Promise.all([main.closeConnections(closing), console?.closeConnections(closing)]);
    await console?.close();
    await main.close();
    await running.ended();
    recorder.stop();
    readiness.stop();
    await applications.stop();
    await rateExchange.stop();
    await forgetFailures.stop();
    await upkeep.stop();
    await auditUpkeep.stop();
    await consoleUpkeep.stop();
    await deployment.verification?.ended();
    await Promise.all([counts.stop(), dailyCounts.stop()]);
  };
  const metricSources = () => [
    ...[applications, passwords, answers, lists, admission, listeners.connectionLimit].flatMap((part) =>
      part.metricSources(),
    ),
    readyGauge(readiness),
  ];
  return {
    listener: listeners.main,
    consoleListener: listeners.console,
    applications,
    readiness,
    recorder,
    mistakes: help.mistakes,
    metricSources,
    stop,
  };
}

function deploymentOf({ settings, database, commands, logger }: AppParts): Deployment {
  return {
    settings,
    failedCallsKeepDays: failuresKeptDays,
    examine: commands && oneAtATime(() => commands.examine()),
    verification:
      commands &&
      new BackupVerification({
        operators: database.operators,
        verify: (file) => commands.verifyBackup(file),
        logger,
      }),
  };
}

function portOf({ server }: FastifyInstance): number | undefined {
  const address = server.address();
  return address === null || typeof address === 'string' ? undefined : address.port;
}

function readyGauge(readiness: Readiness): MetricSource {
  return {
    type: 'gauge',
    name: 'fieldroster_ready',
    help: '1 while the node is ready as /readyz reports it, 0 otherwise; of several workers the worst',
    ofWorkers: 'min',
    read: () => Number(readiness.state().ready),
  };
}

/** Keeps serving while proxies notice that this node is about to stop. */
async function drain(listener: Drain, seconds: number, logger: Logger): Promise<void> {
  listener.beginDraining();
  if (seconds === 0) return;
  logger.info({ drain_seconds: seconds }, 'draining');
  await delay(seconds * 1000);
}

import type { SecretVault } from '../applications/secret-vault.ts';
import { failuresKeptDays } from '../call-records/call-recorder.ts';
import type { Logger } from '../logging/logger.ts';
import type { HandlerParts } from '../pipeline/steps/handler-context.ts';
import type { LargeBodies } from '../pipeline/steps/large-bodies.ts';
import type { ListQueue } from '../pipeline/steps/list-queue.ts';
import type { LongLists } from '../pipeline/steps/long-lists.ts';
import type { Settings } from '../settings/settings.ts';
import { shareRunning } from '../time/share-running.ts';
import { BackupVerification } from './backup-verification.ts';
import type { ConsoleCall } from './console-call.ts';
import { ConsoleUpkeep } from './console-upkeep.ts';
import { DailyCounts } from './daily-counts.ts';
import type { Deployment, DeploymentCommands } from './deployment.ts';
import { DirectoryCounts } from './directory-counts.ts';
import { KnownTenants } from './known-tenants.ts';
import { operatorLimit } from './operator-limit.ts';
import { ownRelease } from './own-release.ts';
import { type ConsoleAnswer, runConsoleCall } from './run-console-call.ts';
import { CodeGuesses } from './sign-in/code-guesses.ts';
import { Sessions } from './sign-in/sessions.ts';

export interface ConsoleOptions extends HandlerParts {
  readonly lists: ListQueue;
  readonly largeBodies: LargeBodies;
  readonly longLists: LongLists;
  readonly settings: Settings;
  readonly vault: SecretVault;
  /** The id under which this process reports its keys. */
  readonly processId: string;
  readonly logger: Logger;
  /** Commands that operators may run from the console; none when left out. */
  readonly commands: DeploymentCommands | undefined;
  /** Returns the port of the signed operations if the console has a separate port. */
  readonly operationsPort: () => number | undefined;
}

/** The operators' console, apart from its routes. */
export interface Console {
  readonly run: (call: ConsoleCall) => Promise<ConsoleAnswer>;
  /** Starts its background work. */
  start(): void;
  /** Ends its background work. Resolves once none is under way. */
  stop(): Promise<void>;
}

/** Assembles the console from the parts that it shares with signed calls and those of its own. */
export function createConsole(options: ConsoleOptions): Console {
  const { settings, database, vault, logger } = options;
  // All nodes and commands must agree on when links, codes and sessions end, even if one of their clocks is wrong.
  const now = () => database.claims.estimateTimeMs();
  const sessions = new Sessions({
    operators: database.operators,
    operatorSessions: database.bookkeeping.operatorSessions,
    now,
  });
  const upkeep = new ConsoleUpkeep(sessions, logger);
  const stopping = new AbortController();
  const deployment = deploymentOf(options, stopping.signal);
  const counts = new DirectoryCounts(database, logger, { now, elapsedMs: () => performance.now() });
  const dailyCounts = new DailyCounts({ database, counts, logger, now });
  const parts = {
    ...options,
    now,
    codes: new CodeGuesses({
      failures: database.bookkeeping.passwordFailures,
      keyedHash: (text) => vault.keyedHash(text),
      now,
    }),
    sessions,
    deployment,
    counts,
    dailyCounts,
    tenants: new KnownTenants(database.tenants),
    basePath: settings.basePath,
    release: ownRelease,
    limitRate: operatorLimit(now),
  };
  return {
    run: (call) => runConsoleCall(call, parts),
    start() {
      if (!settings.console) return;
      upkeep.start();
      dailyCounts.start();
    },
    async stop() {
      stopping.abort();
      await upkeep.stop();
      await deployment.verification?.stop();
      await Promise.all([counts.stop(), dailyCounts.stop()]);
    },
  };
}

function deploymentOf(
  { settings, database, processId, commands, logger }: ConsoleOptions,
  stopping: AbortSignal,
): Deployment {
  return {
    settings,
    failedCallsKeepDays: failuresKeptDays,
    examine: commands && shareRunning(() => commands.examine(stopping)),
    verification:
      commands &&
      new BackupVerification({
        processId,
        operators: database.operators,
        verify: (file, signal) => commands.verifyBackup(file, signal),
        logger,
      }),
  };
}

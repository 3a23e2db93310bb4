import { existsSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { HeldKey } from '../../applications/held-key.ts';
import { findMasterKey } from '../../applications/master-key/find-master-key.ts';
import { masterKeyFile, masterKeyVariable } from '../../applications/master-key/key-places.ts';
import { openConnectionsOf } from '../../http/limits/connection-limit.ts';
import { counted } from '../../words/counted.ts';
import { settingConflicts } from '../setting-conflicts.ts';
import { flagAdvice, flagProblem, flagsWithoutDatabase } from '../setting-warnings.ts';
import type { DoctorCheck, DoctorContext } from './doctor-check.ts';
import { advise, error, note, ok, type TranslatedFinding, tell, warning } from './finding.ts';
import { separateServers } from './separate-servers.ts';

/** Looks for settings that contradict each other, the machine or the database. */
export const checkSettings: DoctorCheck = {
  name: 'settings',
  async *run(context) {
    const ofDatabase = await Promise.allSettled([connections(context), separateServers(context)]);
    const findings = [
      ...conflicts(context),
      ...unknownVariables(context),
      ...withoutPostgres(context),
      ...sameReplica(context),
      ...bodyLimits(context),
      ...backupsBesideKey(context),
      ...unusedDatabase(context),
      ...unusedKeyFile(context),
      ...openFiles(context),
      ...manyWorkers(context),
      ...uncheckedReplay(context),
      ...longDrain(context),
      ...ofDatabase.flatMap((asked) => (asked.status === 'fulfilled' ? asked.value : [])),
    ];
    yield* findings.length > 0
      ? findings
      : [ok(tell('the settings do not contradict each other', 'settingsAgree', {}))];
    for (const asked of ofDatabase) if (asked.status === 'rejected') throw asked.reason;
  },
};

function conflicts({ settings }: DoctorContext): TranslatedFinding[] {
  return settingConflicts(settings).map(({ problem, remedy, said, advised }) =>
    error({ text: `serve does not start: ${problem}`, said }, { text: remedy, said: advised }),
  );
}

function unknownVariables({ environmentWarnings }: DoctorContext): TranslatedFinding[] {
  return environmentWarnings.map((text) =>
    warning(
      tell(text, 'variable', { reason: text }),
      advise('correct its name, or unset it', 'correctVariable', {}),
    ),
  );
}

function withoutPostgres({ settings }: DoctorContext): TranslatedFinding[] {
  return flagsWithoutDatabase(settings).map((flag) =>
    warning(
      tell(flagProblem(flag), 'flagWithoutDatabase', { flag }),
      advise(flagAdvice(flag), 'setDatabase', { flag }),
    ),
  );
}

function sameReplica({ settings: { database, databaseReplica } }: DoctorContext): TranslatedFinding[] {
  if (database === '' || database !== databaseReplica) return [];
  const message = '--database-replica names the same database as --database';
  return [
    warning(
      tell(message, 'sameReplica', {}),
      advise('name a streaming replica, or remove --database-replica', 'nameReplica', {}),
    ),
  ];
}

function bodyLimits({ settings: { bodyBytesMax, batchBodyBytesMax } }: DoctorContext): TranslatedFinding[] {
  if (batchBodyBytesMax >= bodyBytesMax) return [];
  const message = `--batch-body-limit (${batchBodyBytesMax} bytes) is below --body-limit (${bodyBytesMax} bytes), so batches may be smaller than single calls`;
  return [
    warning(
      tell(message, 'batchLimitBelow', { batch: batchBodyBytesMax, single: bodyBytesMax }),
      advise('raise --batch-body-limit', 'raiseBatchLimit', {}),
    ),
  ];
}

function backupsBesideKey({ settings: { data, backupTo } }: DoctorContext): TranslatedFinding[] {
  if (backupTo === '' || resolve(backupTo) !== resolve(data)) return [];
  if (!existsSync(join(resolve(data), masterKeyFile))) return [];
  const message =
    '--backup-to is the data folder, so a backup lies beside the master key that opens its secrets';
  return [
    warning(
      tell(message, 'backupsBesideKey', {}),
      advise('choose a folder elsewhere, preferably on another disk', 'backUpElsewhere', {}),
    ),
  ];
}

function unusedDatabase({ settings: { database, data } }: DoctorContext): TranslatedFinding[] {
  const path = join(resolve(data), 'fieldroster.db');
  if (database === '' || (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return [];
  const message = `--database is set, so nothing uses the embedded database ${path}`;
  return [
    warning(
      tell(message, 'databaseUnused', { path }),
      advise('move that file elsewhere, or unset --database if it has the data', 'moveDatabase', {}),
    ),
  ];
}

function unusedKeyFile({ settings: { data }, environment }: DoctorContext): TranslatedFinding[] {
  const path = join(resolve(data), masterKeyFile);
  if ((environment[masterKeyVariable] ?? '') === '' || !existsSync(path)) return [];
  try {
    const [given, inFile] = [environment, {}].map((each) => findMasterKey(resolve(data), each));
    if (given !== undefined && inFile !== undefined && new HeldKey(given).id === new HeldKey(inFile).id)
      return [];
  } catch {
    // A file that holds no valid key, or that everybody may read, is reported as a different key too.
  }
  const message = `${masterKeyVariable} is set, so nothing uses the different key in ${path}`;
  return [
    warning(
      tell(message, 'keyFileUnused', { path, variable: masterKeyVariable }),
      advise('move that file to where old keys are kept', 'moveKey', {}),
    ),
  ];
}

/** Each connection takes a file; databases and logs take some more. */
const otherFiles = 64;

function openFiles({ settings, memory }: DoctorContext): TranslatedFinding[] {
  const limit = readOpenFilesLimit();
  const { max: connections } = openConnectionsOf(settings, memory, 'operations');
  if (limit === undefined || limit >= connections + otherFiles) return [];
  const message = `serve would accept ${connections} connections, but a process may open only ${limit} files`;
  return [
    warning(
      tell(message, 'fewFiles', { connections, files: limit }),
      advise(
        'raise the limit of open files (LimitNOFILE, ulimit -Hn), or lower --connections-max',
        'raiseFiles',
        {},
      ),
    ),
  ];
}

/** Node.js raises its own limit as far as it may. Only Linux shows it. */
function readOpenFilesLimit(): number | undefined {
  try {
    const [, hard] = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return hard === undefined ? undefined : Number(hard);
  } catch {
    return undefined;
  }
}

function manyWorkers({ settings: { workers } }: DoctorContext): TranslatedFinding[] {
  const cores = availableParallelism();
  if (workers <= cores) return [];
  const message = `--workers is ${workers}, but this machine has ${counted(cores, 'core')}; more workers than cores take memory and connections, and serve no more calls`;
  return [
    warning(
      tell(message, 'manyWorkers', { workers, cores }),
      advise('lower --workers to the number of cores', 'lowerWorkers', {}),
    ),
  ];
}

function uncheckedReplay({ settings: { replay } }: DoctorContext): TranslatedFinding[] {
  if (replay !== 'off') return [];
  const message =
    'under --replay off, a signed write that is sent again takes effect again, and nobody can find out whether it took effect';
  return [
    warning(
      tell(message, 'replayOff', {}),
      advise('remove --replay, except to replay recorded traffic in tests', 'removeReplayOff', {}),
    ),
  ];
}

/** How long a stop takes after its `--drain`, and how long the files of deploy/ wait for all of it. See docs/scaling.md. */
const stopSeconds = { afterDrain: 50, allowed: 60 };

/** Only a note, because the supervisor of this server may allow more. */
function longDrain({ settings: { drainSeconds } }: DoctorContext): TranslatedFinding[] {
  const needed = drainSeconds + stopSeconds.afterDrain;
  const { allowed } = stopSeconds;
  if (needed <= allowed) return [];
  const message = `with --drain ${drainSeconds}, a stop may take ${needed} seconds, but the files of deploy/ let the process be killed after ${allowed}`;
  return [
    note(
      tell(message, 'longDrain', { drain: drainSeconds, needed, allowed }),
      advise(
        `allow at least ${needed} seconds (TimeoutStopSec, stop_grace_period, terminationGracePeriodSeconds), or lower --drain`,
        'allowStop',
        { needed },
      ),
    ),
  ];
}

/** Besides those of its pool, a process has one connection that watches the database. */
async function connections({ settings, inspection }: DoctorContext): Promise<TranslatedFinding[]> {
  const { workers, databasePoolSize } = settings;
  const wanted = workers * (databasePoolSize + 1);
  const accepted = await inspection.connectionsMax();
  if (accepted === undefined || wanted <= accepted) return [];
  const message = `${workers} workers with a pool of ${databasePoolSize} open up to ${wanted} connections, but PostgreSQL accepts ${accepted}`;
  const values = { workers, pool: databasePoolSize, wanted, accepted };
  const advice = 'lower --workers or --database-pool-size, or raise max_connections';
  return [warning(tell(message, 'manyConnections', values), advise(advice, 'lowerConnections', {}))];
}

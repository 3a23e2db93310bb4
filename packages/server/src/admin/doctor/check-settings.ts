import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HeldKey } from '../../applications/held-key.ts';
import { findMasterKey, masterKeyFile, masterKeyVariable } from '../../applications/master-key.ts';
import { settingConflicts } from '../setting-conflicts.ts';
import type { DoctorCheck, DoctorContext } from './doctor-check.ts';
import { error, type Finding, ok, warning } from './finding.ts';

/** Looks for settings that contradict each other, the machine or the database. */
export const checkSettings: DoctorCheck = {
  name: 'settings',
  async *run(context) {
    const { inspection } = context;
    const accepted = await inspection.connectionsMax().catch((cause: unknown) => ({ cause }));
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
      ...(typeof accepted === 'number' ? connections(context, accepted) : []),
    ];
    yield* findings.length > 0 ? findings : [ok('the settings do not contradict each other')];
    if (typeof accepted === 'object') throw accepted.cause;
  },
};

function conflicts({ settings }: DoctorContext): Finding[] {
  return settingConflicts(settings).map(({ problem, remedy }) =>
    error(`serve does not start: ${problem}`, remedy),
  );
}

function unknownVariables({ environmentWarnings }: DoctorContext): Finding[] {
  return environmentWarnings.map((text) => warning(text, 'correct its name, or unset it'));
}

function withoutPostgres({ settings }: DoctorContext): Finding[] {
  if (settings.database !== '') return [];
  const { databaseReplica, databaseInsecure } = settings;
  const given = [
    ...(databaseReplica === '' ? [] : ['--database-replica']),
    ...(databaseInsecure ? ['--database-insecure'] : []),
  ];
  return given.map((flag) =>
    warning(`${flag} is set, but there is no --database for it`, `set --database, or remove ${flag}`),
  );
}

function sameReplica({ settings: { database, databaseReplica } }: DoctorContext): Finding[] {
  if (database === '' || database !== databaseReplica) return [];
  const message = '--database-replica names the same database as --database';
  return [warning(message, 'name a streaming replica, or remove --database-replica')];
}

function bodyLimits({ settings: { bodyBytesMax, batchBodyBytesMax } }: DoctorContext): Finding[] {
  if (batchBodyBytesMax >= bodyBytesMax) return [];
  const message = `--batch-body-limit (${batchBodyBytesMax} bytes) is below --body-limit (${bodyBytesMax} bytes), so batches may be smaller than single calls`;
  return [warning(message, 'raise --batch-body-limit')];
}

function backupsBesideKey({ settings: { data, backupTo } }: DoctorContext): Finding[] {
  if (backupTo === '' || resolve(backupTo) !== resolve(data)) return [];
  if (!existsSync(join(resolve(data), masterKeyFile))) return [];
  const message =
    '--backup-to is the data folder, so a backup lies beside the master key that opens its secrets';
  return [warning(message, 'name a folder elsewhere, best on another disk')];
}

function unusedDatabase({ settings: { database, data } }: DoctorContext): Finding[] {
  const path = join(resolve(data), 'fieldroster.db');
  if (database === '' || (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return [];
  const message = `--database is set, so nothing uses the embedded database ${path}`;
  return [warning(message, 'move that file elsewhere, or unset --database if it has the data')];
}

function unusedKeyFile({ settings: { data }, environment }: DoctorContext): Finding[] {
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
  return [warning(message, 'move that file to where old keys are kept')];
}

/** Each connection takes a file; databases and logs take some more. */
const otherFiles = 64;

function openFiles({ settings: { connectionsMax } }: DoctorContext): Finding[] {
  const limit = readOpenFilesLimit();
  if (limit === undefined || limit >= connectionsMax + otherFiles) return [];
  const message = `--connections-max is ${connectionsMax}, but a process may open only ${limit} files`;
  return [
    warning(message, 'raise the limit of open files (LimitNOFILE, ulimit -Hn), or lower --connections-max'),
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

/** Besides those of its pool, a process has one connection that watches the database. */
function connections({ settings }: DoctorContext, accepted: number): Finding[] {
  const { workers, databasePoolSize } = settings;
  const wanted = workers * (databasePoolSize + 1);
  if (wanted <= accepted) return [];
  const message = `${workers} workers with a pool of ${databasePoolSize} open up to ${wanted} connections, but PostgreSQL accepts ${accepted}`;
  return [warning(message, 'lower --workers or --database-pool-size, or raise max_connections')];
}

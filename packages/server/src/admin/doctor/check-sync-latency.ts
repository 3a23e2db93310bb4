import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { DoctorCheck } from './doctor-check.ts';
import {
  adviceOnDataFolder,
  adviceOnFullDisk,
  adviceUnlessClosed,
  advise,
  error,
  ok,
  tell,
  warning,
} from './finding.ts';

const syncs = 10;

/** Writes wait for one sync each time, so calls take at least this long. */
const slowMs = 200;

/** Measures a sync to the disk of the data folder or, with PostgreSQL, the round trip of a statement. */
export const checkSyncLatency: DoctorCheck = {
  name: 'sync latency',
  async run({ inspection, settings }) {
    if (inspection.engine === 'postgres') return checkEngineAlone(await measureRoundTrips(inspection));
    const folder = resolve(settings.data);
    let times: readonly number[];
    try {
      times = await measureSyncs(folder);
    } catch (cause) {
      const { code = '', message: reason } = cause as NodeJS.ErrnoException;
      const advice = adviceUnlessClosed(folder, adviceByCode[code] ?? adviceOnFault);
      const message = `no file can be written in ${folder}: ${reason}`;
      return [error(tell(message, 'nothingWritten', { folder, reason }), advice)];
    }
    const found = tell(`a sync to disk takes ${describe(times)} in ${folder}`, 'syncTakes', {
      ...summaryOf(times),
      folder,
    });
    const advice = advise(
      'a write waits for one sync: use a local disk, and look for other programs that write to it',
      'useLocalDisk',
      {},
    );
    return [median(times) > slowMs ? warning(found, advice) : ok(found)];
  },
};

const adviceOnFault = advise(
  'make room on a full disk; otherwise run the doctor as the user of the server, and give that user the folder',
  'freeDisk',
  {},
);
const adviceOnOwner = advise(
  'run the doctor as the user of the server, and give that user the folder',
  'ownFolder',
  {},
);

/** Advice about a folder in which no file can be written, by the system's error code. */
const adviceByCode: Readonly<Record<string, typeof adviceOnFault>> = {
  ENOENT: adviceOnDataFolder,
  ENOTDIR: adviceOnDataFolder,
  EACCES: adviceOnOwner,
  EPERM: adviceOnOwner,
  EROFS: advise('mount the file system of the folder for writing', 'mountForWriting', {}),
  ENOSPC: adviceOnFullDisk,
  EDQUOT: adviceOnFullDisk,
};

function checkEngineAlone(times: readonly number[]) {
  const found = tell(
    `a statement takes ${describe(times)} to PostgreSQL and back`,
    'statementTakes',
    summaryOf(times),
  );
  const advice = advise(
    'a call needs two to six statements: move the server closer to its database',
    'bringNearer',
    {},
  );
  return [median(times) > slowMs ? warning(found, advice) : ok(found)];
}

async function measureSyncs(folder: string): Promise<number[]> {
  const path = join(folder, `.fieldroster-doctor-${randomBytes(6).toString('hex')}`);
  const file = await open(path, 'wx', 0o600);
  try {
    return await measure(async () => {
      await file.write(Buffer.alloc(4096));
      await file.sync();
    });
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

function measureRoundTrips({ databaseTimeMs }: { databaseTimeMs(): Promise<unknown> }): Promise<number[]> {
  return measure(async () => {
    await databaseTimeMs();
  });
}

async function measure(work: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < syncs; count++) {
    const startMs = performance.now();
    await work();
    times.push(performance.now() - startMs);
  }
  return times.sort((a, b) => a - b);
}

function median(times: readonly number[]): number {
  return times[Math.floor(times.length / 2)] ?? 0;
}

function describe(times: readonly number[]): string {
  return `${median(times).toFixed(1)} ms (median of ${times.length}; longest ${times.at(-1)?.toFixed(1)} ms)`;
}

function summaryOf(times: readonly number[]) {
  const [middle, longest] = [median(times), times.at(-1) ?? 0].map((ms) => Number(ms.toFixed(1)));
  return { median: middle ?? 0, longest: longest ?? 0, count: times.length };
}

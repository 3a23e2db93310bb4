import { createHash } from 'node:crypto';
import {
  AlreadyAcceptedError,
  ClaimsPurgedError,
  type Database,
} from '../../packages/server/src/database/database.ts';
import { openPostgresDatabase } from '../../packages/server/src/database/postgres/open.ts';
import { openSqliteDatabase } from '../../packages/server/src/database/sqlite/open.ts';
import { BusyError } from '../../packages/server/src/errors/busy-error.ts';
import { patient } from '../../packages/server/test/test-postgres.ts';
import { SeededRandom } from '../seeded-random.ts';

/**
 * Options of one process of the claims model. The process treats a real database as a server does for a signed write:
 * it compares the timestamp with its own clock, then writes with a claim. All processes draw their requests from one
 * set, so all of them send each request many times, before and after its claim is purged.
 */
export interface WorkerOptions {
  readonly place: { readonly folder: string } | { readonly url: string };
  readonly tenantId: string;
  readonly seed: number;
  /** Writes in flight at once. */
  readonly concurrency: number;
  /** Requests that share one timestamp. */
  readonly requestsPerSecond: number;
  /** Model seconds per real second. */
  readonly speed: number;
  /** Sane clocks differ by as much as those of ready nodes may. Wild ones jump by up to an hour. */
  readonly clocks: 'sane' | 'wild';
  /** The start of the model, in real Unix milliseconds. */
  readonly startedAtMs: number;
  /** The seconds that every process adds to the model's time. The parent changes it now and then. */
  readonly baseSeconds: number;
}

/** Counts the outcomes of the steps since the last report. */
export interface WorkerReport {
  steps: number;
  applied: number;
  /** Answered with 1015. */
  repeated: number;
  /** Answered with 1012, because the claim may have been purged. */
  refused: number;
  /** Refused although its timestamp was accepted only a moment before. */
  refusedInTime: number;
  busy: number;
  purges: number;
  purged: number;
}

const windowSeconds = 60;
const marginSeconds = 120;

/** The rest of the margin covers the clock difference between two ready nodes and the database. */
const latenessSeconds = marginSeconds - 30;

const options = JSON.parse(process.argv[2] ?? '') as WorkerOptions;
const random = new SeededRandom(options.seed);
const tenantId = BigInt(options.tenantId);
let baseSeconds = options.baseSeconds;
let offsetSeconds = 0;
let report = emptyReport();

function emptyReport(): WorkerReport {
  return { steps: 0, applied: 0, repeated: 0, refused: 0, refusedInTime: 0, busy: 0, purges: 0, purged: 0 };
}

process.on('message', (message: { readonly baseSeconds: number }) => {
  baseSeconds = message.baseSeconds;
});
process.on('disconnect', () => process.exit());

/** Returns the model's true time. */
function trueSeconds(): number {
  return baseSeconds + ((Date.now() - options.startedAtMs) / 1000) * options.speed;
}

function clockSeconds(): number {
  return Math.floor(trueSeconds() + offsetSeconds);
}

function drawClock(): void {
  if (options.clocks === 'sane') {
    // Processes on one machine share a clock; on several machines, each is up to 30 s from the database's.
    offsetSeconds = 'folder' in options.place ? 0 : random.integer(-30, 30);
    return;
  }
  const reach = random.pick([0, 0, 60, 200, 400, 3_600]);
  offsetSeconds = random.integer(-reach, reach);
}

/** Sane purges use the database's clock, which all processes share. Wild ones use any clock. */
function purgeBefore(): number {
  if (options.clocks === 'sane') return Math.floor(trueSeconds()) - marginSeconds;
  return clockSeconds() - random.integer(0, marginSeconds);
}

async function purge(database: Database): Promise<void> {
  const before = purgeBefore();
  for (let purged = 1; purged > 0; ) {
    purged = await database.claims.purge(before);
    report.purged += purged;
  }
  report.purges += 1;
}

async function write(database: Database): Promise<void> {
  const checkedAt = trueSeconds();
  const timestamp = clockSeconds() + random.integer(-windowSeconds, windowSeconds);
  const request = `${timestamp}.${random.integer(0, options.requestsPerSecond - 1)}`;
  const claim = {
    signature: createHash('sha256').update(request).digest(),
    requestId: request,
    expiresAtSeconds: timestamp + windowSeconds,
  };
  try {
    await database.write(tenantId, claim, async () => ({
      result: undefined,
      audit: { appId: request, operation: 'model', changes: {} },
    }));
    report.applied += 1;
  } catch (error) {
    if (error instanceof AlreadyAcceptedError) report.repeated += 1;
    else if (error instanceof ClaimsPurgedError) noteRefusal(checkedAt);
    else throw error;
  }
}

function noteRefusal(checkedAt: number): void {
  report.refused += 1;
  if (trueSeconds() - checkedAt < latenessSeconds) report.refusedInTime += 1;
}

async function step(database: Database): Promise<void> {
  if (random.chance(0.01)) drawClock();
  try {
    if (random.chance(0.02)) await purge(database);
    else await write(database);
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
    report.busy += 1;
  }
  report.steps += 1;
}

async function work(database: Database): Promise<never> {
  for (;;) {
    await step(database);
    if (report.steps < 50) continue;
    process.send?.(report);
    report = emptyReport();
  }
}

function open(): Promise<Database> {
  const { place } = options;
  if ('url' in place)
    return openPostgresDatabase({ ...patient, url: place.url, poolSize: options.concurrency });
  return openSqliteDatabase({ folder: place.folder });
}

drawClock();
const database = await open();
await Promise.all(Array.from({ length: options.concurrency }, () => work(database)));

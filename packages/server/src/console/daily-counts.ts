import type { Database, EntryCount } from '../database/database.ts';
import type { Logger } from '../logging/logger.ts';
import { PeriodicTask } from '../upkeep/periodic-task.ts';
import { type SteadyClock, steadyClockFor } from '../upkeep/steady-clock.ts';
import type { DirectoryCounts } from './directory-counts.ts';

/**
 * The first look comes long after the start, which has more urgent work. Looks are frequent enough to count soon after
 * midnight.
 */
const firstLookMs = 60_000;
const lookEveryMs = 600_000;

/** If a process dies while it counts, another one can take its lease after this time. */
const leaseMs = 600_000;

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

/**
 * A count from this much earlier or later than a week ago still represents that time, because a server may be off for a
 * while.
 */
const toleranceMs = 2 * dayMs;

const keptDays = 10;

interface Parts {
  readonly database: {
    readonly applications: Pick<Database['applications'], 'listApplications'>;
    readonly auditRetention: Database['auditRetention'];
    readonly tenants: Pick<Database['tenants'], 'listTenants'>;
    readonly bookkeeping: Pick<Database['bookkeeping'], 'entryCounts'>;
  };
  readonly counts: Pick<DirectoryCounts, 'count'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** A monotonic clock, in milliseconds. */
  readonly elapsedMs?: () => number;
}

/**
 * Counts every tenant's entries once a day, for the comparison with a week before. All processes that serve a database
 * look for tenants to count; the database gives each of them to one process.
 */
export class DailyCounts {
  readonly #parts: Parts;
  /** Decides what is old: deleted counts do not come back when a clock is set back. */
  readonly #clock: SteadyClock;
  readonly #task: PeriodicTask;
  #firstLook: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(parts: Parts) {
    const { database, elapsedMs } = parts;
    this.#parts = parts;
    this.#clock = steadyClockFor(database, elapsedMs);
    this.#task = new PeriodicTask(() => this.#round(), {
      intervalMs: lookEveryMs,
      onError: (error) =>
        parts.logger.warn({ cause: String(error) }, "the day's counts wait for the next look"),
    });
  }

  start(): void {
    this.#firstLook = setTimeout(() => void this.run(), firstLookMs).unref();
    this.#task.start();
  }

  /** Resolves once no count is under way. */
  stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#firstLook);
    return this.#task.stop();
  }

  /** Counts the tenants that nobody has counted today, or joins the round under way. Never rejects. */
  run(): Promise<void> {
    return this.#task.run();
  }

  /** Returns what a tenant held about a week ago, or `undefined` if nobody counted then. */
  weekBefore(tenantId: bigint): Promise<EntryCount | undefined> {
    const atMs = this.#parts.now() - weekMs;
    const within = [atMs - toleranceMs, atMs + toleranceMs] as const;
    return this.#parts.database.bookkeeping.entryCounts.findNear(tenantId, atMs, within);
  }

  async #round(): Promise<void> {
    const { tenants, bookkeeping } = this.#parts.database;
    const day = this.#today();
    const counted = await bookkeeping.entryCounts.countedTenants(day);
    const lacking = (await tenants.listTenants()).filter(({ id }) => !counted.has(id));
    if (lacking.length === 0) return;
    for (const { id } of lacking) if (!this.#stopped) await this.#count(id, day);
    await bookkeeping.entryCounts.forget(dayOf(await this.#clock.follow(this.#parts.now())) - keptDays);
  }

  async #count(tenantId: bigint, day: number): Promise<void> {
    const { database, counts, now } = this.#parts;
    const { entryCounts } = database.bookkeeping;
    if (!(await entryCounts.takeLease({ tenantId, day }, now(), leaseMs))) return;
    const held = await counts.count(tenantId);
    // A count that failed leaves the last one.
    if (held === undefined || dayOf(held.atMs) !== day) return;
    const all = await database.applications.listApplications();
    const own = all.filter((each) => each.tenantId === tenantId && each.status !== 'revoked');
    await entryCounts.record({ tenantId, day }, { ...held, applications: BigInt(own.length) });
  }

  #today(): number {
    return dayOf(this.#parts.now());
  }
}

function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs);
}

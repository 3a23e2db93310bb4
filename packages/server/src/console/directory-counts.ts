import { setImmediate as nextIteration } from 'node:timers/promises';
import type { Database, DataVersion, DirectoryLists } from '../database/database.ts';
import type { Logger } from '../logging/logger.ts';
import { withinMs } from '../time/within-ms.ts';

/** The numbers of entries in a tenant's directory. */
export interface DirectorySize {
  readonly users: bigint;
  readonly stores: bigint;
  readonly bindings: bigint;
  /** When the count ended, in Unix milliseconds. */
  readonly atMs: number;
}

interface Counted {
  readonly counts: DirectorySize;
  /** The version of the database that was counted. */
  readonly version: DataVersion;
  /** Whether reading every entry takes so few statements that it needs no rest. */
  readonly isSmall: boolean;
  /** On the monotonic clock. */
  readonly notAgainBeforeMs: number;
}

interface Found extends Pick<Counted, 'isSmall'> {
  readonly counts: Omit<DirectorySize, 'atMs'>;
}

/**
 * How many times as long as a count the rest after it is, however many visitors ask. A huge directory is counted once in
 * some minutes.
 */
const restsPerCount = 20;

/**
 * A directory with one range of users and one of stores is small. It is counted for each visitor after a change, however
 * long the machine keeps the count waiting.
 */
const rangesOfSmall = 2;

/** How long a request waits for a count. Counting a small directory takes milliseconds. */
const longestWaitMs = 300;

export interface CountClocks {
  /** Unix milliseconds, for the date of a count. */
  readonly now: () => number;
  /** A monotonic clock in milliseconds, for how long a count takes and the rest after it. */
  readonly elapsedMs: () => number;
}

/**
 * Counts the entries of directories, as often as their size allows and only after a change. A count reads small ranges,
 * so that ten million users keep nobody waiting; until it is there, the last count is returned.
 */
export class DirectoryCounts {
  readonly #database: Pick<Database, 'directory' | 'dataVersion'>;
  readonly #logger: Logger;
  readonly #clocks: CountClocks;
  readonly #counted = new Map<bigint, Counted>();
  readonly #counting = new Map<bigint, Promise<void>>();
  #stopped = false;

  constructor(database: Pick<Database, 'directory' | 'dataVersion'>, logger: Logger, clocks: CountClocks) {
    this.#database = database;
    this.#logger = logger;
    this.#clocks = clocks;
  }

  /**
   * Returns a new count if it takes only a moment, else the last one; `undefined` while the first one of a large directory
   * is running.
   */
  async read(tenantId: bigint): Promise<DirectorySize | undefined> {
    const counting = this.#start(tenantId);
    const { isSmall = true } = this.#counted.get(tenantId) ?? {};
    if (isSmall) await withinMs(counting, longestWaitMs, () => {});
    return this.#counted.get(tenantId)?.counts;
  }

  /** Counts, and waits for the result. Returns the last count when it rests or fails, if there is one. */
  async count(tenantId: bigint): Promise<DirectorySize | undefined> {
    await this.#start(tenantId);
    return this.#counted.get(tenantId)?.counts;
  }

  /** Ends the running counts. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#counting.values());
  }

  /** Returns the running count, or begins one. */
  #start(tenantId: bigint): Promise<void> {
    return this.#counting.get(tenantId) ?? this.#begin(tenantId);
  }

  #begin(tenantId: bigint): Promise<void> {
    const last = this.#counted.get(tenantId);
    if (this.#stopped || (last !== undefined && this.#clocks.elapsedMs() < last.notAgainBeforeMs))
      return Promise.resolve();
    const counting = this.#count(tenantId, last)
      .catch((error) => this.#logger.warn({ cause: String(error) }, 'the directory was not counted'))
      .finally(() => this.#counting.delete(tenantId));
    this.#counting.set(tenantId, counting);
    return counting;
  }

  async #count(tenantId: bigint, last: Counted | undefined): Promise<void> {
    const version = await this.#database.dataVersion();
    const { now, elapsedMs } = this.#clocks;
    const startMs = elapsedMs();
    const isOld = last === undefined || last.version !== version;
    const found = isOld ? await this.#countAll(this.#database.directory(tenantId).lists) : last;
    if (found === undefined) return;
    const { counts, isSmall } = found;
    const endMs = elapsedMs();
    const notAgainBeforeMs = isSmall ? endMs : endMs + (endMs - startMs) * restsPerCount;
    this.#counted.set(tenantId, { version, isSmall, notAgainBeforeMs, counts: { ...counts, atMs: now() } });
  }

  async #countAll(lists: DirectoryLists): Promise<Found | undefined> {
    let [users, stores, bindings] = [0n, 0n, 0n];
    let ranges = 0;
    for (let after: bigint | undefined = 0n; after !== undefined; await nextIteration()) {
      const part = await lists.countUsers(after);
      users += BigInt(part.users);
      bindings += BigInt(part.bindings);
      after = part.next;
      ranges += 1;
      if (this.#stopped) return undefined;
    }
    for (let after: string | undefined = ''; after !== undefined; await nextIteration()) {
      const part = await lists.countStores(after);
      stores += BigInt(part.stores);
      after = part.next;
      ranges += 1;
      if (this.#stopped) return undefined;
    }
    return { counts: { users, stores, bindings }, isSmall: ranges <= rangesOfSmall };
  }
}

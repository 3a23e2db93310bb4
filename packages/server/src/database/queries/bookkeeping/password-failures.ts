import { sql } from 'kysely';
import type { FailureChange, FailureCount, PasswordFailures } from '../../password-failures.ts';
import { compileOnce } from '../compile-once.ts';
import type { Session } from '../session.ts';
import type { BookkeepingTables } from './bookkeeping-tables.ts';

/**
 * Allowance for differing clocks. A window counts until it ends, unless it ends later than any process with a clock
 * near this one's could have set it: that clock has since been set back.
 */
const clockMarginMs = 60_000;

export class KyselyPasswordFailures implements PasswordFailures {
  readonly #tables: BookkeepingTables;
  readonly #now: () => number;

  /** @param now Unix milliseconds */
  constructor(tables: BookkeepingTables, now: () => number) {
    this.#tables = tables;
    this.#now = now;
  }

  read(subjects: readonly string[], windowMs: number): Promise<ReadonlyMap<string, FailureCount>> {
    const nowMs = this.#now();
    const [now, latest] = [BigInt(nowMs), latestEnd(nowMs, windowMs)];
    return this.#tables.read(async (session) => {
      const counts = new Map<string, FailureCount>();
      for (const subject of subjects) {
        const [row] = await selectFailures(session, { subject, now, latest });
        if (row !== undefined) counts.set(subject, toCount(row));
      }
      return counts;
    });
  }

  change(changes: readonly FailureChange[], windowMs: number): Promise<ReadonlyMap<string, FailureCount>> {
    // All transactions use one order, so that two cannot deadlock.
    const ordered = changes.toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
    return this.#tables.write(async (session) => {
      const counts = new Map<string, FailureCount>();
      for (const change of ordered) {
        const count = await this.#apply(session, change, windowMs);
        if (count !== undefined) counts.set(change.subject, count);
      }
      return counts;
    }, 'durable');
  }

  async forgetEnded(): Promise<number> {
    const now = BigInt(this.#now());
    // Looks first, because even a transaction that deletes nothing is a commit.
    const ended = await this.#tables.read(({ db }) =>
      db.selectFrom('password_failure').select('subject').where('ends_at', '<=', now).limit(1).execute(),
    );
    if (ended.length === 0) return 0;
    return this.#tables.write(async ({ db }) => {
      const { numDeletedRows } = await db
        .deleteFrom('password_failure')
        .where('ends_at', '<=', now)
        .executeTakeFirst();
      return Number(numDeletedRows);
    }, 'background');
  }

  async #apply(
    session: Session,
    { subject, clear = false, add, endsAfterMs }: FailureChange,
    windowMs: number,
  ): Promise<FailureCount | undefined> {
    if (clear) await deleteFailures(session, { subject });
    if (add === 0) return undefined;
    const now = this.#now();
    const [row] = await addFailures(session, {
      subject,
      added: BigInt(add),
      initial: BigInt(Math.max(0, add)),
      now: BigInt(now),
      ends_at: BigInt(now + (endsAfterMs ?? windowMs)),
      latest: latestEnd(now, windowMs),
    });
    return row && toCount(row);
  }
}

/** A window that ends later was set by a clock that has since been set back. */
function latestEnd(nowMs: number, windowMs: number): bigint {
  return BigInt(nowMs + windowMs + clockMarginMs);
}

interface FailureRow {
  readonly failures: bigint;
  readonly ends_at: bigint;
}

function toCount({ failures, ends_at }: FailureRow): FailureCount {
  return { failures: Number(failures), endsAtMs: Number(ends_at) };
}

const selectFailures = compileOnce((db, value: { subject: string; now: bigint; latest: bigint }) =>
  db
    .selectFrom('password_failure')
    .select(['failures', 'ends_at'])
    .where('subject', '=', value.subject)
    .where('ends_at', '>', value.now)
    .where('ends_at', '<=', value.latest),
);

const deleteFailures = compileOnce((db, value: { subject: string }) =>
  db.deleteFrom('password_failure').where('subject', '=', value.subject).returning('subject'),
);

type AddedFailures = {
  readonly subject: string;
  readonly added: bigint;
  /** Count of a new window. */
  readonly initial: bigint;
  readonly now: bigint;
  /** End of a new window. */
  readonly ends_at: bigint;
  readonly latest: bigint;
};

const addFailures = compileOnce((db, value: AddedFailures) => {
  const goesOn = sql`password_failure.ends_at > ${value.now} and password_failure.ends_at <= ${value.latest}`;
  const sum = sql`password_failure.failures + cast(${value.added} as bigint)`;
  return db
    .insertInto('password_failure')
    .values({ subject: value.subject, failures: value.initial, ends_at: value.ends_at })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        failures: sql<bigint>`case when not (${goesOn}) then excluded.failures
          when ${sum} < 0 then 0 else ${sum} end`,
        ends_at: sql<bigint>`case when ${goesOn} then password_failure.ends_at else excluded.ends_at end`,
      }),
    )
    .returning(['failures', 'ends_at']);
});

import { sql } from 'kysely';
import type { RateReportBoard } from '../database.ts';
import type { Session } from '../queries/session.ts';

type Reports = Awaited<ReturnType<RateReportBoard['exchange']>>;

/**
 * A process that has not reported for this long has no demand any more; it may have ended. A report from further than
 * this in the future counts as silent too: the database's clock has been set back since, and a running process reports
 * again.
 */
const silentAfterMs = 5_000;

const deletedAfterMs = 60_000;

/**
 * The reports of rate limits, in one table. All times are the database's. It uses a connection for reads, because the
 * connections for writes may all be busy when limits matter most.
 */
export class PostgresRateReportBoard implements RateReportBoard {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  async exchange(ofThisNode: Reports): Promise<Reports> {
    const { rows } = await exchangeReports(ofThisNode).execute(this.#session.db);
    return Object.fromEntries(
      rows.map(({ process, report, silent }) => [process, silent ? quiet(report) : report]),
    );
  }
}

interface Row {
  readonly process: string;
  readonly report: Reports[string];
  readonly silent: boolean;
}

/** Every part of the statement sees the table as it was before. */
function exchangeReports(ofThisNode: Reports) {
  const now = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  const given = sql`jsonb_each(${JSON.stringify(ofThisNode)}::jsonb)`;
  return sql<Row>`with given as (select key as process, value as report from ${given}),
    kept as (insert into rate_report (process, report, reported_at)
      select process, report, ${now} from given order by process
      on conflict (process) do update set report = excluded.report, reported_at = excluded.reported_at),
    gone as (delete from rate_report where reported_at < ${now} - ${deletedAfterMs}::bigint)
    select process, report, reported_at not between ${now} - ${silentAfterMs}::bigint and ${now} + ${silentAfterMs}::bigint
      as silent from rate_report
    where process not in (select process from given) and reported_at >= ${now} - ${deletedAfterMs}::bigint`;
}

function quiet(report: Reports[string]): Reports[string] {
  const entries = Object.entries(report).map(([appId, use]) => [appId, { ...use, demandPerSecond: 0 }]);
  return Object.fromEntries(entries);
}

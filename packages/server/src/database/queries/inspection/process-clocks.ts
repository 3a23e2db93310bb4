import type { ProcessClock } from '../../database.ts';
import { hasProcessClocks } from '../../migrations/migrate.ts';
import type { Session } from '../session.ts';

/** Returns what processes have reported about their clocks; nothing from tables of an earlier release. */
export async function selectProcessClocks(session: Session): Promise<ProcessClock[]> {
  if (!(await hasProcessClocks(session))) return [];
  const rows = await session.db
    .selectFrom('key_holder')
    .select(['host', 'pid', 'place', 'seen_at', 'clock_difference_ms'])
    .orderBy('host')
    .orderBy('pid')
    .execute();
  return rows.flatMap(({ host, pid, place, seen_at, clock_difference_ms: differenceMs }) =>
    differenceMs === null
      ? []
      : [
          {
            host,
            pid: Number(pid),
            place,
            seenAtMs: Number(seen_at),
            clockDifferenceMs: Number(differenceMs),
          },
        ],
  );
}

import type { ConsolePage } from './console-page.ts';

/** Records what the first tenant held a week ago, like a server that has run for so long. */
export function recordWeekBefore(
  opened: ConsolePage,
  counts: Readonly<Record<'users' | 'stores' | 'bindings' | 'applications', number>>,
): void {
  using database = opened.openRecords();
  const atMs = Date.now() - 7 * 86_400_000;
  database
    .prepare(
      `insert into entry_count (tenant_id, day, at, users, stores, bindings, applications)
        values (1, ?, ?, $users, $stores, $bindings, $applications)`,
    )
    .run(counts, Math.floor(atMs / 86_400_000), atMs);
}

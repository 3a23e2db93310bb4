import { consoleLimits } from '@fieldroster/contract/console-limits';
import { callConsole, type OwnResult } from '../../../api/call.ts';
import { serverNow } from '../../../api/server-clock.ts';
import type { SentBatch } from '../job/import-job.ts';
import type { Importer } from './importer.ts';

/** What became of a change whose answer was lost: nothing may prove it once the audit is no longer kept. */
export type Fate = 'applied' | 'not applied' | 'unknown';

/** The server refuses a change whose time is further ahead of its own clock than this. */
const clockDifferenceMs = consoleLimits.changeAheadSecondsMax * 1000;

/** Longer than the server works on any change. */
const workedOnMs = 1_800_000;

/** The shortest time for which a server may be told to keep its audit. */
const auditKeptMs = 86_400_000;

/** Asks the audit whether this very change took effect, whatever others did to the same entries. */
export async function fateOfChange(
  { tenant, by }: Importer,
  { changeId, startedAtMs }: SentBatch,
): Promise<Fate> {
  const within = {
    change_id: changeId,
    since: startedAtMs - clockDifferenceMs,
    until: startedAtMs + workedOnMs,
    limit: 1,
  };
  let cursor = '';
  // A page may be empty while more follow.
  do {
    const input = { ...within, ...(cursor !== '' && { cursor }) };
    const page: OwnResult<'listEvents'> = await callConsole('listEvents', input, tenant, { by });
    if (page.events.length > 0) return 'applied';
    cursor = page.next_cursor;
  } while (cursor !== '');
  return serverNow() - startedAtMs < auditKeptMs - workedOnMs ? 'not applied' : 'unknown';
}

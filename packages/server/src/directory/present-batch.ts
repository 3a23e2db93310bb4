import { type Access, auditFieldsOfEveryScope, type Data, type Operations } from '@fieldroster/contract';
import type { OutcomeOfConsole } from '@fieldroster/contract/console';
import type { TimeSlice } from '../slices/time-slice.ts';
import type { RefusedEntry } from './batch-entries.ts';
import type { UserPlan } from './user-entry.ts';

type BatchReport = Data<Operations['batchUsers']>;
type Outcome = BatchReport['results'][number];

/** The outcome for an entry, or in a dry run the one it would have. */
export interface PlannedEntry {
  readonly index: number;
  readonly plan: UserPlan;
  /** Absent if the user does not exist. */
  readonly id?: bigint;
}

/** What an answer depends on beside the outcomes. */
export interface BatchPresentation {
  readonly applied: boolean;
  /** The scope of the caller: only `manage` sees the old values of fields that no query returns. */
  readonly scope: Access;
}

/** Returns the answer, in the order of the request's entries. */
export async function presentBatch(
  presentation: BatchPresentation,
  planned: readonly PlannedEntry[],
  refused: readonly RefusedEntry[],
  timeSlice: TimeSlice,
): Promise<BatchReport> {
  const results: Outcome[] = [];
  for (const entry of planned) {
    results[entry.index] = presentPlanned(entry, presentation);
    if (timeSlice.isOver()) await timeSlice.next();
  }
  for (const entry of refused) {
    results[entry.index] = presentRefused(entry);
    if (timeSlice.isOver()) await timeSlice.next();
  }
  const { created, updated, unchanged } = countOutcomes(planned);
  return { applied: presentation.applied, created, updated, unchanged, failed: refused.length, results };
}

export function countOutcomes(planned: readonly PlannedEntry[]) {
  const counts = { created: 0, updated: 0, unchanged: 0 };
  for (const { plan } of planned) counts[plan.outcome] += 1;
  return counts;
}

function presentPlanned(
  { index, plan, id = 0n }: PlannedEntry,
  { applied, scope }: BatchPresentation,
): Outcome {
  const { username, outcome, storesAdded, storesRemoved } = plan;
  return {
    index,
    username,
    outcome,
    // An id that was assigned and rolled back must not be shown.
    id: outcome === 'created' && !applied ? 0n : id,
    code: 0,
    message: '',
    changes: presentChanges(plan.changes, scope),
    stores_added: [...storesAdded],
    stores_removed: [...storesRemoved],
  };
}

/** The problem goes to the console only: the schema of signed answers leaves it out. */
function presentRefused({ index, username, code, message, fault }: RefusedEntry): Outcome & OutcomeOfConsole {
  const nothing = { changes: [], stores_added: [], stores_removed: [] };
  const problem = fault && { problem: fault };
  return { index, username, outcome: 'failed', id: 0n, code, message, ...nothing, ...problem };
}

/** Returns the audit's description of a change, with each value as text. Hides the old values that the audit hides. */
function presentChanges(changes: Readonly<Record<string, unknown>>, scope: Access): Outcome['changes'] {
  const listed = Object.entries(changes).map(([field, change]) => {
    const { from, to } = typeof change === 'string' ? { from: '', to: change } : (change as FromTo);
    return { field, from: String(from ?? ''), to: String(to) };
  });
  const isVisible = (field: string) => scope === 'manage' || auditFieldsOfEveryScope.has(field);
  return listed
    .filter(({ from, to }) => from !== to)
    .map((change) => (isVisible(change.field) ? change : { ...change, from: '' }));
}

interface FromTo {
  readonly from?: unknown;
  readonly to: unknown;
}

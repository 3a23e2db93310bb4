import type { AuditEntry, Operators, StoredOperatorEvent } from '../database/database.ts';

/** Audit rows, newest first. */
export interface FoundEvents {
  readonly events: readonly AuditEntry[];
  /** Set when the search ended early: older changes than this may exist. Unix milliseconds. */
  readonly searchedBackToMs?: number;
}

interface Search {
  readonly operator: { readonly id: bigint; readonly username: string };
  readonly untilMs?: number | undefined;
  readonly limit: number;
  /** How long to search, in milliseconds. */
  readonly searchMsMax: number;
}

const pageRows = 200;

/** Finds the changes of the deployment that an operator made, and those of the operator's account that others made. */
export async function findOperatorEvents(
  operators: Pick<Operators, 'listEvents'>,
  { operator, untilMs = Number.POSITIVE_INFINITY, limit, searchMsMax }: Search,
): Promise<FoundEvents> {
  const events: AuditEntry[] = [];
  let before: bigint | undefined;
  let endMs: number | undefined;
  for (;;) {
    const page = await operators.listEvents(pageRows, before);
    const found = page.filter((event) => event.atMs < untilMs && concerns(event, operator));
    events.push(...found.map(toAuditEntry));
    const last = page.at(-1);
    if (last === undefined || page.length < pageRows) return { events };
    // Newer events than asked for are passed over first, however long that takes.
    if (last.atMs < untilMs) endMs ??= performance.now() + searchMsMax;
    if (events.length >= limit || (endMs !== undefined && performance.now() >= endMs))
      return { events, searchedBackToMs: last.atMs };
    before = last.id;
  }
}

function concerns(
  { operatorId, changes }: StoredOperatorEvent,
  { id, username }: Search['operator'],
): boolean {
  return operatorId === id || changes.operator_id === String(id) || changes.username === username;
}

function toAuditEntry({
  id,
  atMs,
  operatorId,
  actor,
  requestId,
  operation,
  changes,
}: StoredOperatorEvent): AuditEntry {
  const by = operatorId === undefined ? actor : ({ kind: 'operator', id: String(operatorId) } as const);
  return {
    id,
    atMs: BigInt(atMs),
    operation,
    changes,
    ...(requestId !== undefined && { requestId }),
    ...(by !== undefined && { actor: by }),
  };
}

/** Merges two searches. Events older than where one of them ended are left out, because others would be missing among them. */
export function mergeFound(one: FoundEvents, other: FoundEvents, limit: number): FoundEvents {
  const backToMs = Math.max(one.searchedBackToMs ?? 0, other.searchedBackToMs ?? 0);
  const events = [...one.events, ...other.events]
    .filter(({ atMs }) => atMs >= backToMs)
    .sort((first, second) => Number(second.atMs - first.atMs));
  if (events.length > limit) {
    const shown = events.slice(0, limit);
    return { events: shown, searchedBackToMs: Number(shown.at(-1)?.atMs ?? 0n) };
  }
  return backToMs === 0 ? { events } : { events, searchedBackToMs: backToMs };
}

import { stringifyExactJson } from '@fieldroster/client';
import type { AuditEvent } from '../../api/audit-event.ts';

interface AuditCsv {
  readonly parts: string[];
  /** Adds changes, and returns how many characters they take. */
  add(events: readonly AuditEvent[]): number;
}

/** The columns of the export, in order. */
const columns = {
  id: ({ id }) => String(id),
  at: ({ at }) => new Date(Number(at)).toISOString(),
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  operation: ({ operation }) => operation,
  user_id: ({ user_id }) => (String(user_id) === '0' ? '' : String(user_id)),
  username: ({ user }) => user?.username ?? '',
  request_id: ({ request_id }) => request_id,
  changes: ({ changes }) => stringifyExactJson(changes),
} satisfies Record<string, (event: AuditEvent) => string>;

/**
 * Begins a CSV file of changes, whose writer is loaded only then. Spreadsheets recognise UTF-8 by the mark at the
 * beginning.
 */
export async function beginAuditCsv(): Promise<AuditCsv> {
  const { writeCsv } = await import('@fieldroster/tables');
  const parts = [`\ufeff${writeCsv([Object.keys(columns)])}`];
  return {
    parts,
    add(events) {
      const part = writeCsv(events.map(toValues));
      parts.push(part);
      return part.length;
    },
  };
}

function toValues(event: AuditEvent): string[] {
  return Object.values(columns).map((read) => read(event));
}

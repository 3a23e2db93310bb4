import { parseId } from '../../api/wire.ts';

/** The two users of a move, as they are in the address. */
export interface MoveSearch {
  readonly from?: string;
  readonly to?: string;
}

export function readMoveSearch(search: Record<string, unknown>): MoveSearch {
  const [from, to] = [readId(search.from), readId(search.to)];
  return { ...(from !== undefined && { from }), ...(to !== undefined && to !== from && { to }) };
}

function readId(value: unknown): string | undefined {
  const text = String(value ?? '');
  return parseId(text) === undefined ? undefined : text;
}

import { useSearch } from '@tanstack/react-router';
import { parseId } from '../../api/wire.ts';

/** The two users of a move, as they are in the address. A number that JavaScript would round is a text. */
export interface MoveSearch {
  readonly from?: number | string;
  readonly to?: number | string;
}

export function readMoveSearch(search: Record<string, unknown>): MoveSearch {
  const [from, to] = [readId(search.from), readId(search.to)];
  return { ...(from !== undefined && { from }), ...(to !== undefined && to !== from && { to }) };
}

/** Returns an id as an address has it: a text of digits would be written in quotes. */
function readId(value: unknown): number | string | undefined {
  const text = String(value ?? '');
  if (parseId(text) === undefined) return undefined;
  return Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/** The ids of the two users. */
export function useMoveSearch(): { readonly from: string | undefined; readonly to: string | undefined } {
  const { from, to } = useSearch({ from: '/inside/t/$tenant/move-stores' });
  return { from: from?.toString(), to: to?.toString() };
}

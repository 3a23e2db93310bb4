import type { Id } from './wire.ts';

/** Somebody in whose name the page makes calls. */
export interface Acting {
  /** `undefined` for a visitor. */
  readonly operatorId: string | undefined;
  /** Aborted when the operator signs out, or another one takes over the page. */
  readonly signal: AbortSignal;
}

/** What an operator began was broken off, because the operator has left the page. */
export class OperatorLeftError extends Error {
  override readonly name = 'OperatorLeftError';
}

let leaving = new AbortController();
let current: Acting = { operatorId: undefined, signal: leaving.signal };

/** Returns in whose name a call is made that begins now. */
export function acting(): Acting {
  return current;
}

/** Makes calls in another name from now on, and breaks off those of the operator before. */
export function actAs(id: Id | undefined): void {
  const operatorId = id === undefined ? undefined : String(id);
  if (operatorId === current.operatorId) return;
  // What a page asks as long as it does not know its operator belongs to the one that it learns of.
  if (current.operatorId !== undefined) leaving.abort(new OperatorLeftError());
  leaving = new AbortController();
  current = { operatorId, signal: leaving.signal };
}

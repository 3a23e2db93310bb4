import type { CallOptions } from './call-options.ts';
import { TransportError } from './errors.ts';
import { type ListMethods, lists } from './generated/lists.ts';
import { type OperationMethods, operations } from './generated/operations.ts';
import { iterateList } from './iterate-list.ts';
import type { OperationKey } from './prepare-request.ts';

/** The input of an operation. */
export type OperationInput<Key extends OperationKey> = Parameters<OperationMethods[Key]>[0];

/** The result of an operation. */
export type OperationResult<Id, Key extends OperationKey> = Awaited<ReturnType<OperationMethods<Id>[Key]>>;

/** A function that calls any operation. */
export type CallAny<Id> = <Key extends OperationKey>(
  key: Key,
  input: OperationInput<Key>,
  options: CallOptions | undefined,
) => Promise<OperationResult<Id, Key>>;

class Calls<Id> {
  constructor(call: CallAny<Id>) {
    for (const key of Object.keys(operations) as OperationKey[]) {
      const value = (input: OperationInput<typeof key>, options?: CallOptions) => call(key, input, options);
      Object.defineProperty(this, key, { value });
    }
    for (const [method, list] of Object.entries(lists)) {
      const readPage = pageReader(call, list);
      const value = (input = {}, options: CallOptions = {}) => iterateList(readPage, input, options);
      Object.defineProperty(this, method, { value });
    }
  }
}

type List = (typeof lists)[keyof typeof lists];

/** Each list method has its own types; this reader treats all lists alike. */
function pageReader<Id>(call: CallAny<Id>, { key, items }: List) {
  return async (input: { readonly cursor?: string }, options: CallOptions) => {
    const answer = await call(key, input as OperationInput<typeof key>, options);
    const { [items]: entries, next_cursor } = answer as unknown as Partial<Record<string, unknown>>;
    if (!Array.isArray(entries)) throw notAPage(key, `it has no list of ${items}`);
    if (typeof next_cursor !== 'string') throw notAPage(key, 'it has no next_cursor');
    // The list would never end.
    if (next_cursor !== '' && next_cursor === input.cursor)
      throw notAPage(key, 'its next_cursor leads to the same page again');
    return { entries: entries as readonly unknown[], nextCursor: next_cursor };
  };
}

function notAPage(key: List['key'], fault: string): TransportError {
  const message = `the answer is not a page of the server: ${fault}; check the URL, and any proxy in front of the server`;
  return new TransportError(operations[key].name, message, { reach: 'misdirected' });
}

/**
 * A class with a method for every operation of the contract, which passes its arguments to `call`, and a method
 * for every list, which iterates over all of its pages.
 */
export const OperationCalls = Calls as new <Id>(call: CallAny<Id>) => OperationMethods<Id> & ListMethods<Id>;

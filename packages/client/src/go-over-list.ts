import type { CallOptions } from './client-options.ts';
import { pageEntriesMax } from './generated/lists.ts';

/** What a list operation takes besides its filters. */
interface PageInput {
  readonly limit?: number | null | undefined;
}

/** One page of a list: its entries, and where the next one begins. */
interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly nextCursor: string;
}

/**
 * Goes over the entries of a list, page after page. A page may be empty while more follow; only an empty cursor
 * is the end. Nothing is read ahead, so that whoever stops early has asked for nothing in vain.
 */
export async function* goOverList<Input extends PageInput, Entry>(
  readPage: (input: Input & { cursor?: string }, options: CallOptions) => Promise<Page<Entry>>,
  input: Input,
  options: CallOptions,
): AsyncGenerator<Entry, void, undefined> {
  const filters = { ...input, limit: input.limit ?? pageEntriesMax };
  let cursor = '';
  do {
    const page = await readPage({ ...filters, ...(cursor !== '' && { cursor }) }, options);
    for (const entry of page.entries) {
      // Entries that have arrived already are no reason to go on after an abort.
      options.signal?.throwIfAborted();
      yield entry;
    }
    cursor = page.nextCursor;
  } while (cursor !== '');
}

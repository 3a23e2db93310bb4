import type { CallOptions } from './call-options.ts';
import { pageEntriesMax } from './generated/lists.ts';

/** The page size that a list operation takes in addition to its filters. */
interface PageInput {
  readonly limit?: number | null | undefined;
}

/** One page of a list: its entries and the cursor of the next page. */
interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly nextCursor: string;
}

/**
 * Iterates over the entries of a list, page after page. A page may be empty while more follow; only an empty
 * cursor marks the end. Never reads ahead, so stopping early wastes no request.
 */
export async function* iterateList<Input extends PageInput, Entry>(
  readPage: (input: Input & { cursor?: string }, options: CallOptions) => Promise<Page<Entry>>,
  input: Input,
  options: CallOptions,
): AsyncGenerator<Entry, void, undefined> {
  const filters = { ...input, limit: input.limit ?? pageEntriesMax };
  let cursor = '';
  do {
    const page = await readPage({ ...filters, ...(cursor !== '' && { cursor }) }, options);
    for (const entry of page.entries) {
      // After an abort, iteration stops even if entries have already arrived.
      options.signal?.throwIfAborted();
      yield entry;
    }
    cursor = page.nextCursor;
  } while (cursor !== '');
}

/** The first entries that match what somebody types. */
export interface FirstFound<Entry> {
  readonly entries: readonly Entry[];
  /** Whether the search ended before it had looked at every entry or found enough. */
  readonly isCutShort: boolean;
}

interface FoundPage<Entry> {
  readonly entries: readonly Entry[];
  /** Where the next page begins; empty after the last one. */
  readonly next: string;
}

/** Shown below a field. */
const entriesMax = 8;

/** The server looks at no more than 20,000 of many entries for each call, so this is enough for a million. */
const callsMax = 50;

/** Finds the first entries that match, on as many pages as it takes. A page may be empty while others follow. */
export async function findFirst<Entry>(
  read: (after: string, limit: number) => Promise<FoundPage<Entry>>,
): Promise<FirstFound<Entry>> {
  const entries: Entry[] = [];
  let after = '';
  for (let calls = 0; calls < callsMax; calls++) {
    const page = await read(after, entriesMax - entries.length);
    entries.push(...page.entries);
    if (page.next === '' || entries.length >= entriesMax) return { entries, isCutShort: false };
    after = page.next;
  }
  return { entries, isCutShort: true };
}

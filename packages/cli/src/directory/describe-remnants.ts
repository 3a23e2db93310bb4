import type { Remnants } from '@fieldroster/server/admin';
import { printable } from '../output/print.ts';

/** Members of the JSON about what erasures left outside the tables. */
export function remnantFields({ remnants, remnantsFailed }: Partial<Remnants>) {
  return {
    free_space_overwritten: remnants?.freeSpaceOverwritten ?? null,
    log_emptied: remnants?.logEmptied ?? null,
    remnants_failed: remnantsFailed ?? null,
  };
}

/** Returns a list of what is left, with what to do; empty if nothing is. */
export function describeRemnants({ remnants, remnantsFailed }: Remnants): string {
  if (remnantsFailed !== undefined)
    return `\
  - remnants in the search index, the free space and the write-ahead log of SQLite: ${printable(remnantsFailed)}.
    Repeat the command
`;
  if (remnants === undefined)
    return '  - remnants in free space: PostgreSQL overwrites them after a vacuum; its WAL archive keeps them until it ages out\n';
  const { freeSpaceOverwritten, logEmptied } = remnants;
  return `${freeSpaceOverwritten ? '' : freeSpaceLeft}${logEmptied ? '' : logLeft}`;
}

const freeSpaceLeft = `\
  - remnants in the free space of SQLite: other processes freed more meanwhile. Repeat the command when they write less
`;

const logLeft = `\
  - the write-ahead log of SQLite: it still has the data, because another process was using it. Repeat the command,
    or restart the server
`;

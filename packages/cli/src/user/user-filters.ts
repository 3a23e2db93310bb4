import type { ListUsersInput } from '@fieldroster/client';
import { type Command, Option } from 'commander';
import { nonEmpty, parseId, parseTime } from '../command-line/flag-values.ts';
import { UsageError } from '../run-program.ts';

/** The filters of the interface's list. */
type UserFilters = Omit<ListUsersInput, 'cursor' | 'limit'>;

/** The flags that select the users of a list or an export. */
export interface FilterFlags {
  readonly search?: string;
  readonly role?: bigint;
  readonly org?: bigint;
  readonly includeChildren?: true;
  readonly store?: string;
  readonly department?: string;
  readonly unbound?: 'role' | 'org' | 'store';
  readonly status?: 'active' | 'disabled';
  readonly updatedSince?: bigint;
}

/** A script with an unset variable gives an empty filter. */
const filter = nonEmpty('leave the flag out to filter by something else');

/** Adds the filters of the interface's list to a command. */
export function addFilterOptions(command: Command): Command {
  return command
    .option('--search <text>', 'Part of username, names, phone, email or unique code', filter)
    .option('--role <id>', 'Bound to this role', parseId)
    .option('--org <id>', 'Bound to this organization', parseId)
    .option('--include-children', 'With --org: include organizations below it')
    .option('--store <code>', 'Bound to this store', filter)
    .option('--department <text>', 'Exactly this department', filter)
    .addOption(new Option('--unbound <what>', 'Bound to none of these').choices(['role', 'org', 'store']))
    .addOption(new Option('--status <status>', 'Only these').choices(['active', 'disabled']))
    .option(
      '--updated-since <time>',
      'Changed at this moment or later: 2026-01-31 (UTC) or 2026-01-31T12:00:00Z',
      (text) => BigInt(parseTime(text)),
    );
}

/** Converts the flags to the interface's filters. */
export function filtersOf(flags: FilterFlags): UserFilters {
  const { search, role, org, includeChildren, store, department, unbound, status, updatedSince } = flags;
  if (includeChildren === true && org === undefined)
    throw new UsageError('--include-children needs --org; add it');
  return {
    search,
    role_id: role,
    org_id: org,
    include_children: includeChildren,
    store_code: store,
    department,
    unbound,
    status,
    updated_since: updatedSince,
  } satisfies Readonly<Record<keyof UserFilters, unknown>>;
}

import { watchedValue } from '../../api/watched-value.ts';

/** The ids of the users that were deleted on this page, which cannot be selected any more. */
export const removedUsers = watchedValue<ReadonlySet<string>>(new Set());

export function noteRemovedUser(id: bigint | number): void {
  removedUsers.write(new Set(removedUsers.read()).add(String(id)));
}

import { readChange } from './read-change.ts';

/** Returns the key of what an operation on several users did to the one that an audit row is about, if it is known. */
export function partOfChange(
  operation: string,
  changes: Readonly<Record<string, unknown>>,
): string | undefined {
  if (operation === 'move-stores') {
    const stores = readChange(changes.stores);
    if (stores.kind !== 'listed') return undefined;
    // A user who got some and lost others has no such row.
    return `move-stores ${stores.added.length > 0 ? 'added' : 'removed'}`;
  }
  if (operation !== 'change-users') return undefined;
  const status = readChange(changes.status);
  if (status.kind === 'replaced') return `change-users ${String(status.to)}`;
  const field = ['role_id', 'org_id', 'stores'].find((name) => name in changes);
  return field && `change-users ${field}`;
}

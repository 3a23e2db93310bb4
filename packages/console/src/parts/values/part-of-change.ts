import { readChange } from './read-change.ts';

/** Returns the key of what an operation did to the user that an audit row is about, if its own name does not say it. */
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
  if (operation !== 'change-users' && operation !== 'set-user-status') return undefined;
  const status = readChange(changes.status);
  if (status.kind === 'replaced') return `${operation} ${String(status.to)}`;
  if (operation === 'set-user-status') return undefined;
  const field = ['role_id', 'org_id', 'stores'].find((name) => name in changes);
  return field && `change-users ${field}`;
}

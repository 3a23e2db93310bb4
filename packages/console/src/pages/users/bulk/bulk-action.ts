import type { OwnInput, OwnResult } from '../../../api/call.ts';
import { parseId } from '../../../api/wire.ts';

/** The changes that an operator can make to several users at once. */
export const bulkActions = ['role', 'org', 'addStore', 'removeStore', 'disable', 'enable'] as const;

export type BulkAction = (typeof bulkActions)[number];

export type ChangedUser = OwnResult<'changeUsers'>['users'][number];

export type Wanted = Omit<OwnInput<'changeUsers'>, 'users' | 'dry_run'>;

/** Value of a choice that takes the role or the organization away. */
export const noTarget = 'none';

/** Returns what a call asks for; `undefined` while nothing is chosen. */
export function wantedOf(action: BulkAction, choice: string | undefined): Wanted | undefined {
  if (action === 'disable') return { status: 'disabled' };
  if (action === 'enable') return { status: 'active' };
  if (choice === undefined) return undefined;
  if (action === 'addStore') return { add_store_codes: [choice] };
  if (action === 'removeStore') return { remove_store_codes: [choice] };
  const id = choice === noTarget ? 0 : parseId(choice);
  if (id === undefined) return undefined;
  return action === 'role' ? { role_id: id } : { org_id: id };
}

/** Returns the change that undoes an action for all users; `undefined` if each user would need a different one. */
export function undoOf(action: BulkAction, choice: string | undefined): Wanted | undefined {
  const opposites = {
    disable: 'enable',
    enable: 'disable',
    addStore: 'removeStore',
    removeStore: 'addStore',
  };
  const opposite = (opposites as Partial<Record<BulkAction, BulkAction>>)[action];
  return opposite && wantedOf(opposite, choice);
}

/** An audited change of a field: old and new value, the differences of a list, a value not kept, or one value alone. */
export type Change =
  | { readonly kind: 'replaced'; readonly from: unknown; readonly to: unknown }
  | { readonly kind: 'listed'; readonly added: readonly unknown[]; readonly removed: readonly unknown[] }
  | { readonly kind: 'not-kept' }
  | { readonly kind: 'fact'; readonly value: unknown };

/** Reads the entry of a field. A deletion has only what was there before, a creation only what is there now. */
export function readChange(entry: unknown): Change {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    return { kind: 'fact', value: entry };
  if (Object.keys(entry).length === 0) return { kind: 'not-kept' };
  const { from, to, added, removed } = entry as Readonly<Record<string, unknown>>;
  if (Array.isArray(added) || Array.isArray(removed))
    return { kind: 'listed', added: listOf(added), removed: listOf(removed) };
  if ('from' in entry || 'to' in entry) return { kind: 'replaced', from, to };
  return { kind: 'fact', value: entry };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Fields that only say what a row is about. */
const identifying = ['id', 'code', 'app_id'];

/** Returns whether an operation left everything as it was. A deletion may have no more than the id. */
export function changedNothing(operation: string, changes: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(changes);
  if (operation.startsWith('update-')) return names.every((name) => identifying.includes(name));
  return names.length === 0;
}

/** Returns the fields to show. An operator of all tenants has an empty list of them, which would read as none. */
export function shownFields(changes: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(changes).filter(
    ([field, entry]) => !(field === 'tenant_ids' && 'all_tenants' in changes && listsNothing(entry)),
  );
}

function listsNothing(entry: unknown): boolean {
  const change = readChange(entry);
  const lists = change.kind === 'replaced' ? [change.from, change.to] : [entry];
  return lists.every((list) => list === undefined || (Array.isArray(list) && list.length === 0));
}

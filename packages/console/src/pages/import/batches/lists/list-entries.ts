import type { ListKind, ListValues } from '@fieldroster/tables';
import { callDirectory, type DirectoryInput } from '../../../../api/call.ts';
import { cursorOf } from '../../../../api/directory-lists.ts';
import type { Id } from '../../../../api/wire.ts';
import type { Importer } from '../importer.ts';

/** A store, an organization or a role, by the names of its fields. */
export interface Entry extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly code?: string;
  readonly id?: Id;
}

/** Reads every entry of a kind, by the key that identifies it in the directory. */
export async function readEntries(kind: ListKind, importer: Importer): Promise<ReadonlyMap<string, Entry>> {
  const all = new Map<string, Entry>();
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { entries, next } = await readPage(kind, importer, cursor);
    for (const entry of entries) all.set(String(kind === 'stores' ? entry.code : entry.id), entry);
    cursor = next || undefined;
  }
  return all;
}

interface Page {
  readonly entries: readonly Entry[];
  readonly next: string;
}

async function readPage(kind: ListKind, { tenant, by }: Importer, cursor: string): Promise<Page> {
  const input = { limit: 500, ...cursorOf(cursor) };
  if (kind === 'stores') {
    const { stores, next_cursor } = await callDirectory('listStores', tenant, input, { by });
    return { entries: stores, next: next_cursor };
  }
  if (kind === 'orgs') {
    const { orgs, next_cursor } = await callDirectory('listOrgs', tenant, input, { by });
    return { entries: orgs, next: next_cursor };
  }
  const { roles, next_cursor } = await callDirectory('listRoles', tenant, input, { by });
  return { entries: roles, next: next_cursor };
}

/** Writes the entries of a batch. Only stores can be written several at once. */
export async function writeEntries(
  kind: ListKind,
  importer: Importer,
  entries: readonly { readonly isNew: boolean; readonly values: ListValues }[],
  changeId: string,
): Promise<void> {
  if (kind === 'stores') {
    const stores = entries.map(({ values }) => values) as unknown as DirectoryInput<'upsertStores'>['stores'];
    await callDirectory('upsertStores', importer.tenant, { stores }, { changeId, by: importer.by });
    return;
  }
  for (const { isNew, values } of entries) await writeOne(kind, importer, isNew, toInput(values), changeId);
}

function writeOne(
  kind: 'orgs' | 'roles',
  { tenant, by }: Importer,
  isNew: boolean,
  input: object,
  changeId: string,
) {
  const once = { changeId, by };
  if (kind === 'orgs')
    return isNew
      ? callDirectory('createOrg', tenant, input as DirectoryInput<'createOrg'>, once)
      : callDirectory('updateOrg', tenant, input as DirectoryInput<'updateOrg'>, once);
  return isNew
    ? callDirectory('createRole', tenant, input as DirectoryInput<'createRole'>, once)
    : callDirectory('updateRole', tenant, input as DirectoryInput<'updateRole'>, once);
}

/** A position is a small number, the others may need 64 bits. */
function toInput({ order, ...values }: ListValues): object {
  return order === undefined ? values : { ...values, order: Number(order) };
}

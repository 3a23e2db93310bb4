import { parseId } from '../../api/wire.ts';

/** The filters of the list of users, as they are in the address. */
export interface UserSearch {
  readonly search?: string;
  readonly role?: string;
  readonly org?: string;
  readonly store?: string;
  readonly missing?: 'role' | 'org' | 'store';
  readonly status?: 'active' | 'disabled';
  /** Changed at this moment or later, in Unix milliseconds. */
  readonly changed?: number;
}

/** Reads the filters from an address, and leaves out invalid ones. */
export function readUserSearch(search: Record<string, unknown>): UserSearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const oneOf = <Word extends string>(name: string, words: readonly Word[]) =>
    words.find((word) => word === search[name]);
  const [missing, status] = [
    oneOf('missing', ['role', 'org', 'store']),
    oneOf('status', ['active', 'disabled']),
  ];
  return {
    ...(text('search') !== '' && { search: text('search') }),
    ...(parseId(text('role')) !== undefined && { role: text('role') }),
    ...(parseId(text('org')) !== undefined && { org: text('org') }),
    ...(text('store') !== '' && { store: text('store') }),
    ...(missing !== undefined && { missing }),
    ...(status !== undefined && { status }),
    ...(/^\d{1,15}$/.test(text('changed')) && { changed: Number(text('changed')) }),
  };
}

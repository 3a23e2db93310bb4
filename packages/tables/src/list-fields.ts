import { limits } from '@fieldroster/contract/limits';
import { normalizeColumnName } from './normalize-column-name.ts';

/** The kinds of entries, other than users, that a file may hold. */
export type ListKind = 'stores' | 'orgs' | 'roles';

interface ListField {
  /** Column names recognised without a mapping, compared as `normalizeColumnName` does. */
  readonly names: readonly string[];
  readonly type: 'text' | 'code' | 'number';
  readonly charactersMax?: number;
  readonly isRequired?: true;
}

const ids = { type: 'number' } as const;

/** The fields of a store, an organization and a role, as the operations name them. */
export const listFields: Readonly<Record<ListKind, Readonly<Record<string, ListField>>>> = {
  stores: {
    code: {
      names: ['code', 'store code', '编码', '编号', '门店编码', '门店编号'],
      type: 'code',
      charactersMax: limits.storeCodeCharactersMax,
      isRequired: true,
    },
    name: {
      names: ['name', 'store name', 'store', '名称', '门店', '门店名称'],
      type: 'text',
      charactersMax: limits.storeNameCharactersMax,
      isRequired: true,
    },
    address: {
      names: ['address', '地址', '门店地址'],
      type: 'text',
      charactersMax: limits.addressCharactersMax,
    },
  },
  orgs: {
    id: { names: ['id', 'org id', 'organization id', '编号', '组织 id'], ...ids, isRequired: true },
    name: {
      names: ['name', 'organization', 'org', '名称', '组织', '组织名称'],
      type: 'text',
      charactersMax: limits.orgNameCharactersMax,
      isRequired: true,
    },
    parent_id: { names: ['parent id', 'parent', '上级', '上级 id', '上级组织', '上级组织 id'], ...ids },
  },
  roles: {
    id: { names: ['id', 'role id', '编号', '角色 id'], ...ids },
    name: {
      names: ['name', 'role', '名称', '角色', '角色名称'],
      type: 'text',
      charactersMax: limits.roleNameCharactersMax,
      isRequired: true,
    },
    code: {
      names: ['code', 'role code', '编码', '代码'],
      type: 'code',
      charactersMax: limits.roleCodeCharactersMax,
    },
    description: {
      names: ['description', '说明', '描述'],
      type: 'text',
      charactersMax: limits.descriptionCharactersMax,
    },
    system_id: { names: ['system id', 'system', '系统', '系统 id'], ...ids },
    order: { names: ['order', 'position', '顺序', '排序'], ...ids },
  },
};

/** Returns the field that a column's name stands for, or `undefined` for any other name. */
export function listFieldOfColumn(kind: ListKind, column: string): string | undefined {
  const wanted = normalizeColumnName(column);
  const entry = Object.entries(listFields[kind]).find(([, { names }]) =>
    names.some((name) => normalizeColumnName(name) === wanted),
  );
  return entry?.[0];
}

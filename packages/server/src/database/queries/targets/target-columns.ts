/** A role's columns under names that are unambiguous in a join; see `toRole`. */
export const roleColumns = [
  'role.id as role_id',
  'role.name as role_name',
  'role.system_id as role_system_id',
  'role.position as role_position',
  'role.description as role_description',
  'role.code as role_code',
] as const;

/** An organization's columns under names that are unambiguous in a join; see `toOrg`. */
export const orgColumns = [
  'org.id as org_id',
  'org.name as org_name',
  'org.parent_id as org_parent_id',
] as const;

/** The texts of a store that may be empty. */
export const optionalStoreTexts = ['address'] as const;

/** The texts of a store besides its code, from which all queries derive what they know of them. */
export const storeTexts = ['name', ...optionalStoreTexts] as const;

/** The names of the columns of a `StoreRecord`. */
export const storeRecordNames = ['code', ...storeTexts] as const;

/** The columns of a `StoreRecord`. */
export const storeColumns = storeRecordNames.map((name) => `store.${name}` as const);

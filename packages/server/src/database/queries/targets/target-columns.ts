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

/** The columns of a `StoreRecord`. */
export const storeColumns = ['store.code', 'store.name', 'store.address'] as const;

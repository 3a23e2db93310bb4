import { Type } from 'typebox';
import { answered, int32, int64, profileFields, revision, text, time, userStatus } from './fields.ts';

const roleFields = {
  id: int64('Id of the role'),
  name: text('Name of the role'),
  system_id: int64('Id of the system that the role belongs to'),
  order: int32('Position among the roles'),
  description: text('What the role is for'),
  code: Type.Optional(text('Code of the role')),
};

/** A role inside a user and in the role query. It has a `code` only if one was given. */
export const roleEntry = Type.Object(roleFields);

/** A role as extension operations return it. */
export const managedRole = Type.Object({ ...roleFields, revision });

const orgFields = {
  id: int64('Id of the organization'),
  name: text('Name of the organization'),
  parent_id: int64('Id of the parent organization; 0 at the root'),
};

const orgEntry = Type.Object(orgFields);

/** An organization as extension operations return it. */
export const managedOrg = Type.Object({ ...orgFields, revision });

const storeFields = {
  code: text('Code of the store'),
  name: text('Name of the store'),
  address: text('Address of the store'),
};

export const storeEntry = Type.Object(storeFields);

/** A store as extension operations return it. */
export const managedStore = Type.Object({ ...storeFields, revision });

const { real_name, ...profile } = answered(profileFields);

const identity = { id: int64('Id of the user'), username: text('Login name'), real_name };

/** A user as creation returns it. */
export const createdUser = Type.Object({
  ...identity,
  password: text('The password, as it was sent; no other answer contains it'),
  ...profile,
});

/** A user as the query returns it. */
export const queriedUser = Type.Object({
  ...identity,
  ...profile,
  roles: Type.Array(roleEntry, { description: 'The role that is bound, or none' }),
  orgs: Type.Array(orgEntry, { description: 'The organization that is bound, or none' }),
});

/**
 * Names in the changes of an audit row whose values every scope may see: the fields that the query returns,
 * plus the ids of role and organization. All others require the scope manage.
 */
export const auditFieldsOfEveryScope: ReadonlySet<string> = new Set([
  ...Object.keys({ ...identity, ...profile }),
  'role_id',
  'org_id',
]);

/** The fields that identify a row of the audit and date it, in the list of callers and in that of the console. */
export const auditRowFields = {
  id: int64(
    'Id of the row. Changes of one user, role, organization or store took effect in the order of their ids; between others, the order of ids may differ from that of at',
  ),
  at: time('When it happened; a signed write is dated by its end, on the clock of the process that made it'),
};

/** A user as lists return it: all fields of the query, plus what synchronization needs. */
export const listedUser = Type.Object({
  ...queriedUser.properties,
  status: userStatus,
  revision,
  created_at: time('When the user was created'),
  updated_at: time('When the user or a binding last changed'),
});

/** A user in the list of a store's representatives. */
export const storeUser = Type.Object({ ...identity, phone: profile.phone, status: userStatus });

/** Schemas of answers by the name that generated clients give them. */
export const namedEntities = {
  User: queriedUser,
  CreatedUser: createdUser,
  ListedUser: listedUser,
  StoreUser: storeUser,
  Role: roleEntry,
  ManagedRole: managedRole,
  Organization: orgEntry,
  ManagedOrganization: managedOrg,
  Store: storeEntry,
  ManagedStore: managedStore,
} as const;

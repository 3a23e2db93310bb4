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

/** A role as it stands inside a user and in the role query. It has a `code` only when one was given. */
export const roleEntry = Type.Object(roleFields);

/** The role as the extensions answer it. */
export const managedRole = Type.Object({ ...roleFields, revision });

const orgFields = {
  id: int64('Id of the organization'),
  name: text('Name of the organization'),
  parent_id: int64('Id of the parent organization; 0 at the root'),
};

export const orgEntry = Type.Object(orgFields);

/** The organization as the extensions answer it. */
export const managedOrg = Type.Object({ ...orgFields, revision });

const storeFields = {
  code: text('Code of the store'),
  name: text('Name of the store'),
  address: text('Address of the store'),
};

export const storeEntry = Type.Object(storeFields);

/** The store as the extensions answer it. */
export const managedStore = Type.Object({ ...storeFields, revision });

const { real_name, ...profile } = answered(profileFields);

const identity = { id: int64('Id of the user'), username: text('Login name'), real_name };

/** The user as creation answers it. */
export const createdUser = Type.Object({
  ...identity,
  password: text('The password, as it was sent; nothing else ever returns it'),
  ...profile,
});

/** The user as the query answers it. */
export const queriedUser = Type.Object({
  ...identity,
  ...profile,
  roles: Type.Array(roleEntry, { description: 'The role that is bound, or none' }),
  orgs: Type.Array(orgEntry, { description: 'The organization that is bound, or none' }),
});

/**
 * The names in the changes of an audit row whose values every scope may see: the fields that the query answers, the
 * role and the organization by their ids. All others are for the scope manage.
 */
export const auditFieldsOfEveryScope: ReadonlySet<string> = new Set([
  ...Object.keys({ ...identity, ...profile }),
  'role_id',
  'org_id',
]);

/** The user as lists answer it: all that the query answers, and what synchronization needs. */
export const listedUser = Type.Object({
  ...queriedUser.properties,
  status: userStatus,
  revision,
  created_at: time('When the user was created'),
  updated_at: time('When the user or a binding was changed last'),
});

/** A user in the list of a store's representatives. */
export const storeUser = Type.Object({ ...identity, phone: profile.phone, status: userStatus });

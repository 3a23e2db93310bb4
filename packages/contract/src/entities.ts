import { Type } from 'typebox';
import { gender, int32, int64, text } from './fields.ts';

/** A role as it stands inside a user and in the role query. It has a `code` only when one was given. */
export const roleEntry = Type.Object({
  id: int64('Id of the role'),
  name: text('Name of the role'),
  system_id: int64('Id of the system that the role belongs to'),
  order: int32('Position among the roles'),
  description: text('What the role is for'),
  code: Type.Optional(text('Code of the role')),
});

export const orgEntry = Type.Object({
  id: int64('Id of the organization'),
  name: text('Name of the organization'),
  parent_id: int64('Id of the parent organization; 0 at the root'),
});

export const storeEntry = Type.Object({
  code: text('Code of the store'),
  name: text('Name of the store'),
  address: text('Address of the store'),
});

const identity = {
  id: int64('Id of the user'),
  username: text('Login name'),
  real_name: text('Name of the person'),
};

const profile = {
  nickname: text('Name to show'),
  gender,
  email: text('Mail address'),
  phone: text('Telephone number'),
  department: text('Department'),
  avatar: text('URL of a picture'),
  unique_code: text('A code of the caller’s own'),
};

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

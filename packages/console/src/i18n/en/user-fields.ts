import type { UserFields } from '@fieldroster/contract';

/** The names of the fields of a user, the same on every page. */
export const userFields = {
  real_name: 'Name',
  nickname: 'Nickname',
  gender: 'Gender',
  email: 'Email',
  phone: 'Phone',
  department: 'Department',
  unique_code: 'Code',
  avatar: 'Picture (URL)',
  ext_info: 'Further information',
} satisfies Record<keyof UserFields, string>;

import type { UserFields } from '@fieldroster/contract';
import { type ProfileTextName, profileTextNames } from '@fieldroster/contract/profile-texts';

/** The fields of a profile, as the form holds them. It has no `ext_info`: programs write and read that field. */
export type ProfileValues = Record<Exclude<keyof UserFields, 'ext_info'>, string>;

const emptyTexts = Object.fromEntries(profileTextNames.map((name) => [name, ''])) as Record<
  ProfileTextName,
  string
>;

export const emptyProfile: ProfileValues = { ...emptyTexts, gender: '0' };

/** The first fields of the form; the others follow in the contract's order. */
const firstNames = [
  'real_name',
  'nickname',
  'gender',
  'phone',
  'email',
  'department',
  'unique_code',
] as const;

/** The fields in the order of the form. */
export const profileNames = [...new Set([...firstNames, ...profileTextNames])];

/** What most users have. A form for a new user asks for it first. */
export const contactNames = ['real_name', 'phone', 'email'] as const;

/** The fields that a form for a new user shows on demand, in the order of the form. */
export const furtherNames = profileNames.filter((name) => !contactNames.some((one) => one === name));

/** Returns what a call sends; the form has the gender as text. */
export function toProfile({ gender, ...texts }: ProfileValues) {
  return { ...texts, gender: Number(gender) as 0 | 1 | 2 };
}

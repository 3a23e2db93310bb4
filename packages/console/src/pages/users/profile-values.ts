import type { UserFields } from '@fieldroster/contract';

/** The form has no `ext_info`: programs write and read that field. */
type TextName = Exclude<keyof UserFields, 'gender' | 'ext_info'>;

/** The fields of a profile, as the form holds them. */
export type ProfileValues = Record<TextName | 'gender', string>;

export const emptyProfile: ProfileValues = {
  real_name: '',
  nickname: '',
  gender: '0',
  phone: '',
  email: '',
  department: '',
  unique_code: '',
  avatar: '',
};

/** The fields in the order of the form. */
export const profileNames = Object.keys(emptyProfile) as (keyof ProfileValues)[];

/** Returns what a call sends; the form has the gender as text. */
export function toProfile({ gender, ...texts }: ProfileValues) {
  return { ...texts, gender: Number(gender) as 0 | 1 | 2 };
}

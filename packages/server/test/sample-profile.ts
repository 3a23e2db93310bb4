import { profileFields } from '@fieldroster/contract';

type Profile = Record<keyof typeof profileFields, string | number>;

/** Returns a value for every field that the query answers, including fields added to the contract later. */
export function sampleProfile(text: string): Profile {
  return profileOf((field, isText) => (isText ? `${field} ${text}` : 2));
}

/** Every field that the query answers, unset. */
export const emptyProfile = profileOf((_field, isText) => (isText ? '' : 0));

function profileOf(choose: (field: string, isText: boolean) => string | number): Profile {
  const entries = Object.entries(profileFields).map(([field, schema]) => [
    field,
    choose(field, !('enum' in schema)),
  ]);
  return Object.fromEntries(entries) as Profile;
}

import type { UserDetails } from '../../api/user-query.ts';
import { type ProfileValues, profileNames } from './profile-values.ts';

/** The user's profile and revision on the server when the draft was begun. */
export interface ProfileStart {
  readonly profile: ProfileValues;
  readonly revision: UserDetails['revision'];
}

/** Returns the profile of a user as the form holds it. */
export function profileOf({ user }: UserDetails): ProfileValues {
  return Object.fromEntries(profileNames.map((name) => [name, String(user[name])])) as ProfileValues;
}

/**
 * Decides what a draft begins with once the server has another answer. A draft keeps its revision if somebody else
 * has changed the profile since, so saving it is a conflict; a changed role or binding is not a conflict.
 */
export function beginAgain(start: ProfileStart, details: UserDetails, isDirty: boolean): ProfileStart {
  const profile = profileOf(details);
  const names = Object.keys(profile) as (keyof ProfileValues)[];
  const isSame = names.every((name) => profile[name] === start.profile[name]);
  return isDirty && !isSame ? start : { profile, revision: details.revision };
}

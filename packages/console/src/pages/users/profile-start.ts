import type { UserDetails } from '../../api/user-query.ts';
import { type ProfileValues, profileNames } from './profile-values.ts';

/** The user's profile and revision on the server when the draft was begun. */
export interface ProfileStart {
  readonly profile: ProfileValues;
  readonly revision: UserDetails['revision'];
  /** Whether a save of this profile has raised the revision since. */
  readonly isOutdated?: true;
}

/** Returns the profile of a user as the form holds it. */
export function profileOf({ user }: UserDetails): ProfileValues {
  return Object.fromEntries(profileNames.map((name) => [name, String(user[name])])) as ProfileValues;
}

export function isSameProfile(one: ProfileValues, other: ProfileValues): boolean {
  const names = Object.keys(one) as (keyof ProfileValues)[];
  return names.every((name) => one[name] === other[name]);
}

/**
 * Decides what a draft begins with once the server has another answer. A draft keeps its revision if somebody else
 * has changed the profile since, so saving it is a conflict; a changed role or binding is not a conflict.
 *
 * @param draft what is typed, if anything is
 */
export function beginAgain(start: ProfileStart, details: UserDetails, draft?: ProfileValues): ProfileStart {
  const profile = profileOf(details);
  const isConflict =
    draft !== undefined && !isSameProfile(profile, start.profile) && !isSameProfile(profile, draft);
  return isConflict ? start : { profile, revision: details.revision };
}

import { useForm } from '@mantine/form';
import { useEffect, useEffectEvent, useState } from 'react';
import type { UserDetails } from '../../api/user-query.ts';
import { beginAgain, isSameProfile, type ProfileStart, profileOf } from './profile-start.ts';
import type { ProfileValues } from './profile-values.ts';

/**
 * The draft of a profile, and the revision that it began with. Held above the tabs, which forget what they do not show.
 * It follows the server until something is typed.
 */
export function useProfileForm(details: UserDetails) {
  const form = useForm<ProfileValues>({ initialValues: profileOf(details) });
  const [start, setStart] = useState<ProfileStart>({
    profile: profileOf(details),
    revision: details.revision,
  });
  const follow = useEffectEvent((answer: UserDetails) => {
    const draft = form.isDirty() ? form.getValues() : undefined;
    const next = beginAgain(start, answer, draft);
    setStart(next);
    if (draft !== undefined && !isSameProfile(draft, next.profile)) return;
    form.setValues(next.profile);
    form.resetDirty(next.profile);
  });
  useEffect(() => follow(details), [details]);
  return {
    form,
    /**
     * Returns the revision that saving a profile expects.
     *
     * @param reload asks the server for the user, or waits for an answer under way
     */
    async expectRevision(profile: ProfileValues, reload: () => Promise<UserDetails>) {
      return start.isOutdated ? beginAgain(start, await reload(), profile).revision : start.revision;
    },
    /** Notes that the server has this profile now; its answer will bring the revision. */
    noteSaved(profile: ProfileValues): void {
      form.resetDirty(profile);
      setStart({ ...start, profile, isOutdated: true });
    },
  };
}

export type ProfileDraft = ReturnType<typeof useProfileForm>;

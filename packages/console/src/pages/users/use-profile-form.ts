import { useForm } from '@mantine/form';
import type { ProfileValues } from './user-form.tsx';
import type { UserDetails } from './user-query.ts';

/** The draft of a profile. Held above the tabs, which forget what they do not show. */
export const useProfileForm = (details: UserDetails) =>
  useForm<ProfileValues>({ initialValues: profileOf(details) });

export type ProfileDraft = ReturnType<typeof useProfileForm>;

/** Returns the profile of a user as the form holds it. */
export function profileOf({ user }: UserDetails): ProfileValues {
  const { real_name, nickname, gender, phone, email, department, unique_code, avatar } = user;
  return { real_name, nickname, gender: String(gender), phone, email, department, unique_code, avatar };
}

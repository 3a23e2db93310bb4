import { Select, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTexts } from '../../i18n/texts.ts';

/** The fields of a profile, as the form holds them. */
export interface ProfileValues {
  real_name: string;
  nickname: string;
  gender: string;
  phone: string;
  email: string;
  department: string;
  unique_code: string;
  avatar: string;
}

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

/** Returns what a call sends; the form has the gender as text. */
export function toProfile({ gender, ...texts }: ProfileValues) {
  return { ...texts, gender: Number(gender) as 0 | 1 | 2 };
}

/** Returns the names of the fields, and the words for each gender. */
export function useProfileTexts() {
  const { users } = useTexts();
  const labels: Readonly<Record<keyof ProfileValues, string>> = {
    real_name: users.realName,
    nickname: users.nickname,
    gender: users.gender,
    phone: users.phone,
    email: users.email,
    department: users.department,
    unique_code: users.uniqueCode,
    avatar: users.avatar,
  };
  const { none, male, female } = users.genders;
  return { labels, genders: [none, male, female] };
}

interface Props<Values extends ProfileValues> {
  readonly form: UseFormReturnType<Values>;
  readonly readOnly?: boolean;
}

/** The fields of a user's profile. */
export function ProfileFields<Values extends ProfileValues>({ form, readOnly = false }: Props<Values>) {
  const { labels, genders } = useProfileTexts();
  const texts = [
    ['real_name', 100],
    ['nickname', 100],
    ['phone', 255],
    ['email', 255],
    ['department', 100],
    ['unique_code', 50],
    ['avatar', 250],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm" data-read-only={readOnly}>
      {texts.map(([name, maxLength]) => (
        <TextInput
          key={name}
          label={labels[name]}
          maxLength={maxLength}
          readOnly={readOnly}
          {...form.getInputProps(name)}
        />
      ))}
      <Select
        label={labels.gender}
        allowDeselect={false}
        readOnly={readOnly}
        data={genders.map((label, value) => ({ value: String(value), label }))}
        {...form.getInputProps('gender')}
      />
    </SimpleGrid>
  );
}

import type { UserFields } from '@fieldroster/contract';
import { charactersMax } from '@fieldroster/tables';
import { Select, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTexts } from '../../i18n/texts.ts';

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

/** The text fields in the order of the form. */
const textNames = (Object.keys(emptyProfile) as (keyof ProfileValues)[]).filter((name) => name !== 'gender');

interface Props<Values extends ProfileValues> {
  readonly form: UseFormReturnType<Values>;
  readonly readOnly?: boolean;
}

/** The fields of a user's profile. */
export function ProfileFields<Values extends ProfileValues>({ form, readOnly = false }: Props<Values>) {
  const { labels, genders } = useProfileTexts();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm" data-read-only={readOnly}>
      {textNames.map((name) => (
        <TextInput
          key={name}
          label={labels[name]}
          maxLength={charactersMax[name]}
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

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

interface Props<Values extends ProfileValues> {
  readonly form: UseFormReturnType<Values>;
  readonly readOnly?: boolean;
}

/** The fields of a user's profile. */
export function ProfileFields<Values extends ProfileValues>({ form, readOnly = false }: Props<Values>) {
  const { users } = useTexts();
  const texts = [
    ['real_name', users.realName, 100],
    ['nickname', users.nickname, 100],
    ['phone', users.phone, 255],
    ['email', users.email, 255],
    ['department', users.department, 100],
    ['unique_code', users.uniqueCode, 50],
    ['avatar', users.avatar, 250],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
      {texts.map(([name, label, maxLength]) => (
        <TextInput
          key={name}
          label={label}
          maxLength={maxLength}
          readOnly={readOnly}
          {...form.getInputProps(name)}
        />
      ))}
      <Select
        label={users.gender}
        allowDeselect={false}
        readOnly={readOnly}
        data={[
          { value: '0', label: users.genders.none },
          { value: '1', label: users.genders.male },
          { value: '2', label: users.genders.female },
        ]}
        {...form.getInputProps('gender')}
      />
    </SimpleGrid>
  );
}

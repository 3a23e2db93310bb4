import { charactersMax } from '@fieldroster/tables';
import { Select, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTexts } from '../../i18n/texts.ts';
import { type ProfileValues, profileNames } from './profile-values.ts';

/** Returns the names of the fields, and the words for each gender. */
export function useProfileTexts() {
  const { fields, genders } = useTexts().users;
  const labels: Readonly<Record<keyof ProfileValues, string>> = fields;
  return { labels, genders: [genders.none, genders.male, genders.female] };
}

type TextName = Exclude<keyof ProfileValues, 'gender'>;

function isText(name: keyof ProfileValues): name is TextName {
  return name !== 'gender';
}

interface Props<Values extends ProfileValues> {
  readonly form: UseFormReturnType<Values>;
  /** All of them, if left out. */
  readonly names?: readonly (keyof ProfileValues)[];
  readonly readOnly?: boolean;
}

/** The fields of a user's profile. */
export function ProfileFields<Values extends ProfileValues>(props: Props<Values>) {
  const { form, names = profileNames, readOnly = false } = props;
  const { labels, genders } = useProfileTexts();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm" data-read-only={readOnly}>
      {names.filter(isText).map((name) => (
        <TextInput
          key={name}
          label={labels[name]}
          maxLength={charactersMax[name]}
          readOnly={readOnly}
          {...form.getInputProps(name)}
        />
      ))}
      {names.includes('gender') && (
        <Select
          label={labels.gender}
          allowDeselect={false}
          readOnly={readOnly}
          data={genders.map((label, value) => ({ value: String(value), label }))}
          {...form.getInputProps('gender')}
        />
      )}
    </SimpleGrid>
  );
}

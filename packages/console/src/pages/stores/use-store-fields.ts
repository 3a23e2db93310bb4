import { limits } from '@fieldroster/contract/limits';
import { useTexts } from '../../i18n/texts.ts';
import type { EditField } from '../../parts/fields/edit-form.tsx';

/** The fields that the form of a store can have. */
export function useStoreFields() {
  const { stores: texts } = useTexts().targetsPages;
  return {
    code: {
      name: 'code',
      label: texts.code,
      kind: 'line',
      isRequired: true,
      charactersMax: limits.storeCodeCharactersMax,
    },
    name: {
      name: 'name',
      label: texts.name,
      kind: 'line',
      isRequired: true,
      charactersMax: limits.storeNameCharactersMax,
    },
    address: {
      name: 'address',
      label: texts.address,
      kind: 'text',
      charactersMax: limits.addressCharactersMax,
    },
  } as const satisfies Readonly<Record<string, EditField<string>>>;
}

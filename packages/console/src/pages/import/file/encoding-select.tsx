import { Select } from '@mantine/core';
import { encodingNames } from '../../../i18n/encoding-names.ts';
import { useTexts } from '../../../i18n/texts.ts';

const encodings = Object.entries(encodingNames).map(([value, label]) => ({ value, label }));

interface Props {
  readonly value: string;
  readonly onChange: (encoding: string) => void;
}

/** Chooses how the text of a file was saved. */
export function EncodingSelect({ value, onChange }: Props) {
  const { importTexts } = useTexts();
  return (
    <Select
      w={240}
      label={importTexts.encoding}
      description={importTexts.encodingHelp}
      inputWrapperOrder={['label', 'input', 'description']}
      allowDeselect={false}
      data={encodings}
      value={value}
      onChange={(next) => next !== null && onChange(next)}
    />
  );
}

import { Select } from '@mantine/core';
import { useTexts } from '../../i18n/texts.ts';

/** The encodings that spreadsheet programs write, apart from UTF-8. */
const encodings = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'gb18030', label: 'GB18030 (GBK)' },
  { value: 'windows-1252', label: 'Windows-1252 (Latin-1)' },
  { value: 'big5', label: 'Big5' },
  { value: 'shift_jis', label: 'Shift JIS' },
  { value: 'utf-16le', label: 'UTF-16' },
  { value: 'utf-16be', label: 'UTF-16 BE' },
];

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

import { ActionIcon, Text, TextInput, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useCopying } from './use-copying.ts';

interface Props {
  readonly label: string;
  readonly value: string;
}

/** A value to copy. */
export function CopyField({ label, value }: Props) {
  const { general } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const { copy, isCopied, pressKeys } = useCopying(value, () => {
    input.current?.focus();
    // A field that already has the focus is not focused again.
    input.current?.select();
  });
  return (
    <div>
      <TextInput
        ref={input}
        label={label}
        value={value}
        readOnly
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onFocus={({ currentTarget }) => currentTarget.select()}
        rightSection={
          <Tooltip label={isCopied ? general.copied : general.copy}>
            <ActionIcon aria-label={`${general.copy} ${label}`} onClick={copy}>
              {isCopied ? <IconCheck size="1rem" /> : <IconCopy size="1rem" />}
            </ActionIcon>
          </Tooltip>
        }
      />
      <div role="status">
        {isCopied && <VisuallyHidden>{general.copied}</VisuallyHidden>}
        {pressKeys !== undefined && (
          <Text size="xs" mt={4}>
            {pressKeys}
          </Text>
        )}
      </div>
    </div>
  );
}

import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';

interface Props {
  /** Tells users of a screen reader what the button copies. */
  readonly label: string;
  readonly text: string;
}

/** Copies a longer text, and confirms that it did. */
export function CopyTextButton({ label, text }: Props) {
  const { general } = useTexts();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          aria-label={label}
          leftSection={copied ? <IconCheck size="0.875rem" /> : <IconCopy size="0.875rem" />}
          onClick={copy}
        >
          {copied ? general.copied : general.copy}
        </Button>
      )}
    </CopyButton>
  );
}

import { Button, Popover, Textarea, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useCopying } from './use-copying.ts';

interface Props {
  /** Tells users of a screen reader what the button copies. */
  readonly label: string;
  readonly text: string;
}

/** Copies a longer text, and confirms that it did. If the browser does not let it, shows the text selected. */
export function CopyTextButton({ label, text }: Props) {
  const { general } = useTexts();
  const field = useRef<HTMLTextAreaElement>(null);
  const { copy, isCopied, pressKeys, forget } = useCopying(text, () => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  });
  return (
    <Popover
      opened={pressKeys !== undefined}
      onDismiss={forget}
      position="bottom-end"
      width={320}
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Button
          variant="default"
          // The name begins with the words on the button.
          {...(!isCopied && { 'aria-label': label })}
          leftSection={isCopied ? <IconCheck size="0.875rem" /> : <IconCopy size="0.875rem" />}
          onClick={copy}
        >
          {isCopied ? general.copied : general.copy}
        </Button>
      </Popover.Target>
      <VisuallyHidden role="status">{isCopied && general.copied}</VisuallyHidden>
      <Popover.Dropdown>
        <Textarea
          ref={field}
          label={pressKeys}
          value={text}
          readOnly
          rows={5}
          // Keeps a dialog around the button open on Escape.
          data-mantine-stop-propagation="true"
        />
      </Popover.Dropdown>
    </Popover>
  );
}

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { type Texts, useTexts } from '../../i18n/texts.ts';
import { askBeforeLeaving } from './ask-before-leaving.ts';
import { noteUnsaved } from './unsaved-text.ts';

/**
 * What leaving would do: throw typed text away; leave typed text behind that is on its way to the server; or lose what
 * is shown only once, or is being made to be shown so.
 */
type Loss = keyof Texts['discard'];

interface DiscardGuard {
  /** Whether the question is open. Escape then closes the question, not the form below it. */
  readonly isAsking: boolean;
  /** Closes the form with `close`. If that would lose something, asks first. */
  readonly leave: (close: () => void) => void;
  /** To render beside the form. */
  readonly question: ReactNode;
}

/** Asks before something is lost, be it by closing its form or by leaving its page. */
export function useDiscardGuard(isDirty: boolean, loss: Loss = 'typed'): DiscardGuard {
  const { history } = useRouter();
  const [closing, setClosing] = useState<{ readonly close: () => void }>();
  useEffect(() => {
    if (!isDirty) return;
    const ends = [noteUnsaved((close) => setClosing({ close })), askBeforeLeaving(history)];
    return () => {
      for (const end of ends) end();
      // A question that is open when nothing is at stake any more, such as after an answer, ends by itself.
      setClosing(undefined);
    };
  }, [isDirty, history]);
  const isAsking = isDirty && closing !== undefined;
  return {
    isAsking,
    leave: (close) => (isDirty ? setClosing({ close }) : close()),
    // Mounted only while it asks: a mounted dialog would hear the very Escape that opens it.
    question: isAsking && (
      <Question
        loss={loss}
        onKeep={() => setClosing(undefined)}
        onDiscard={() => {
          setClosing(undefined);
          closing.close();
        }}
      />
    ),
  };
}

interface Props {
  readonly loss: Loss;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

function Question({ loss, onKeep, onDiscard }: Props) {
  const discard = useTexts().discard[loss];
  return (
    <Modal opened onClose={onKeep} title={discard.title}>
      <Stack gap="sm">
        <Text size="sm">{discard.help}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDiscard}>
            {discard.discard}
          </Button>
          <Button data-autofocus onClick={onKeep}>
            {discard.keep}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

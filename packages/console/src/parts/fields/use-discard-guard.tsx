import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { type Texts, useTexts } from '../../i18n/texts.ts';
import { noteUnsaved } from './unsaved-text.ts';

/**
 * What leaving would do: throw typed text away; leave typed text behind that is on its way to the server; or lose what
 * is shown only once, or is being made to be shown so.
 */
type Loss = keyof Texts['discard'];

interface DiscardGuard {
  /** Whether the question is open. Escape then closes the question, not the form below it. */
  readonly isAsking: boolean;
  /** Closes the form by `close`, after asking if anything would be lost. */
  readonly leave: (close: () => void) => void;
  /** To render beside the form. */
  readonly question: ReactNode;
}

/** Asks before something is lost, be it by closing its form or by leaving its page. */
export function useDiscardGuard(isDirty: boolean, loss: Loss = 'typed'): DiscardGuard {
  const [closing, setClosing] = useState<{ readonly close: () => void }>();
  const blocker = useBlocker({
    shouldBlockFn: leavesPage,
    disabled: !isDirty,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  useEffect(() => (isDirty ? noteUnsaved((close) => setClosing({ close })) : undefined), [isDirty]);
  const isAsking = isDirty && (closing !== undefined || blocker.status === 'blocked');
  const stay = useEffectEvent(() => {
    setClosing(undefined);
    blocker.reset?.();
  });
  // A question that is open when nothing is at stake any more, such as after an answer, ends by itself.
  useEffect(() => {
    if (!isDirty) stay();
  }, [isDirty]);
  return {
    isAsking,
    leave: (close) => (isDirty ? setClosing({ close }) : close()),
    // Mounted only while it asks: a mounted dialog would hear the very Escape that opens it.
    question: isAsking && (
      <Question
        loss={loss}
        onKeep={() => {
          setClosing(undefined);
          blocker.reset?.();
        }}
        onDiscard={() => {
          setClosing(undefined);
          closing?.close();
          blocker.proceed?.();
        }}
      />
    ),
  };
}

/** A filter of the list beside the form changes only the query of the address. */
function leavesPage({ current, next }: Readonly<Record<'current' | 'next', { readonly pathname: string }>>) {
  return current.pathname !== next.pathname;
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

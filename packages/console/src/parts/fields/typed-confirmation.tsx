import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../notices/failure-notice.tsx';
import { readsAlike } from './reads-alike.ts';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The consequence, with its number. */
  readonly help: string;
  /** The name that the operator must type. */
  readonly name: string;
  /** Text of the button. When it changes, the name must be typed again. */
  readonly action: string;
  readonly mutation: UseMutationResult<unknown, Error, void>;
  /** A refusal, in the console's words. */
  readonly refusal?: { readonly error: Error; readonly text: string } | undefined;
}

/** Asks for a name to be typed before something that cannot be undone. */
export function TypedConfirmation({ opened, onClose, title, ...question }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Question key={question.action} onClose={onClose} {...question} />
    </Modal>
  );
}

function Question({ onClose, help, name, action, mutation, refusal }: Omit<Props, 'opened' | 'title'>) {
  const { general } = useTexts();
  const [typed, setTyped] = useState('');
  const isTyped = readsAlike(typed, name);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isTyped) mutation.mutate(undefined, { onSuccess: onClose });
      }}
    >
      <Stack gap="sm">
        {refusal === undefined ? <Text size="sm">{help}</Text> : <Refusal text={refusal.text} />}
        <TextInput
          label={general.typeToConfirm(name)}
          // Shows the name as it is, with several spaces in a row.
          styles={{ label: { whiteSpace: 'pre-wrap' } }}
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {mutation.isError && mutation.error !== refusal?.error && <FailureNotice error={mutation.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {general.cancel}
          </Button>
          <Button type="submit" color="red" disabled={!isTyped} loading={mutation.isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Takes the focus from the field, so that a second press of Enter does nothing. */
function Refusal({ text }: { readonly text: string }) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => alert.current?.focus(), []);
  return (
    <Alert ref={alert} tabIndex={-1} role="alert" color="red" variant="light" style={{ outline: 'none' }}>
      {text}
    </Alert>
  );
}

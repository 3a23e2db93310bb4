import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { FailureNotice } from './failure-notice.tsx';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The consequence, with its number. */
  readonly help: string;
  /** What to type. */
  readonly name: string;
  /** Text of the button. */
  readonly action: string;
  readonly mutation: UseMutationResult<unknown, Error, void>;
}

/** Asks for a name to be typed before something that cannot be undone. */
export function TypedConfirmation({ opened, onClose, title, help, name, action, mutation }: Props) {
  const { general } = useTexts();
  const [typed, setTyped] = useState('');
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate(undefined, { onSuccess: onClose });
        }}
      >
        <Stack gap="sm">
          <Text size="sm">{help}</Text>
          <TextInput
            label={general.typeToConfirm(name)}
            autoComplete="off"
            data-autofocus
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          {mutation.isError && <FailureNotice error={mutation.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {general.cancel}
            </Button>
            <Button type="submit" color="red" disabled={typed !== name} loading={mutation.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

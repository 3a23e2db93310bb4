import { Button, Group } from '@mantine/core';
import { useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../notices/failure-notice.tsx';

interface Props {
  readonly action: string;
  /** The call that the action makes. */
  readonly mutation: { readonly isPending: boolean; readonly error: Error | null };
  readonly onCancel?: (() => void) | undefined;
  /** Runs the action. Left out, the button submits the form around it. */
  readonly onAct?: () => void;
  readonly disabled?: boolean | undefined;
}

/** The end of a dialog: why its action failed, the way out, and the action. */
export function DialogActions({ action, mutation, onCancel, onAct, disabled = false }: Props) {
  const { general } = useTexts();
  return (
    <>
      {mutation.error !== null && <FailureNotice error={mutation.error} />}
      <Group justify="flex-end" gap="xs">
        {onCancel !== undefined && (
          <Button variant="default" onClick={onCancel}>
            {general.cancel}
          </Button>
        )}
        <Button
          type={onAct === undefined ? 'submit' : 'button'}
          loading={mutation.isPending}
          disabled={disabled}
          onClick={onAct}
        >
          {action}
        </Button>
      </Group>
    </>
  );
}

import { consoleLimits } from '@fieldroster/contract/console-limits';
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { AnswerLostError, callConsole } from '../../api/call.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { useTexts } from '../../i18n/texts.ts';
import { CheckedForm } from '../../parts/fields/checked-form.tsx';
import { useDiscardGuard } from '../../parts/fields/use-discard-guard.tsx';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { DialogActions } from '../../parts/page/dialog-actions.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { NewCredentials } from './new-credentials.tsx';
import { type Scope, ScopeField } from './scope-field.tsx';

interface Props {
  readonly onClose: () => void;
}

/** Issues an application, and shows its secret once. Mount it to open it: what is shown once goes with it. */
export function IssueApplication({ onClose }: Props) {
  const { applications } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const form = useForm<{ name: string; scope: Scope }>({ initialValues: { name: '', scope: 'write' } });
  const mutation = useMutation({
    mutationFn: (values: typeof form.values) => callConsole('issueApplication', values, tenant),
    onSettled: () => invalidate('applications'),
  });
  // The application may exist even though its answer was lost; the button would issue another one.
  const isLost = mutation.error instanceof AnswerLostError;
  const guard = useDiscardGuard(
    mutation.data === undefined && !isLost && form.isDirty(),
    mutation.isPending ? 'making' : 'typed',
  );
  const close = () => {
    // The secret would be lost.
    if (!mutation.isPending) onClose();
  };
  const issued = mutation.data;
  return (
    <Modal
      opened
      onClose={() => (mutation.isPending ? undefined : guard.leave(close))}
      title={issued === undefined ? applications.issue : applications.credentials(form.values.name)}
      size="lg"
      // A slip of the mouse must not lose the secret.
      closeOnClickOutside={issued === undefined}
      closeOnEscape={issued === undefined && !guard.isAsking}
      withCloseButton={issued === undefined}
    >
      {guard.question}
      {isLost && <Lost error={mutation.error} onClose={close} />}
      {issued !== undefined && (
        <NewCredentials appId={issued.app_id} appSecret={issued.app_secret} onStored={close} />
      )}
      {issued === undefined && !isLost && (
        <CheckedForm form={form} onSubmit={(values) => mutation.mutate(values)}>
          <Stack gap="md">
            <TextInput
              label={applications.name}
              description={applications.nameHelp}
              required
              maxLength={consoleLimits.applicationNameCharactersMax}
              data-autofocus
              {...form.getInputProps('name')}
            />
            <ScopeField value={form.values.scope} onChange={(scope) => form.setFieldValue('scope', scope)} />
            <DialogActions action={applications.issue} mutation={mutation} onCancel={close} />
          </Stack>
        </CheckedForm>
      )}
    </Modal>
  );
}

interface LostProps {
  readonly error: unknown;
  readonly onClose: () => void;
}

function Lost({ error, onClose }: LostProps) {
  const { general } = useTexts();
  return (
    <Stack gap="md">
      <FailureNotice error={error} />
      <Group justify="flex-end">
        <Button data-autofocus onClick={onClose}>
          {general.close}
        </Button>
      </Group>
    </Stack>
  );
}

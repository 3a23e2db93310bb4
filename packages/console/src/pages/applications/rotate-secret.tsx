import { consoleLimits } from '@fieldroster/contract/console-limits';
import { Alert, Modal, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Application } from '../../api/applications-query.ts';
import { callConsole } from '../../api/call.ts';
import { presentTime } from '../../api/server-clock.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useDiscardGuard } from '../../parts/fields/use-discard-guard.tsx';
import { DialogActions } from '../../parts/page/dialog-actions.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { NewCredentials } from './new-credentials.tsx';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly application: Application;
}

const hour = 3600;

/** Returns whether the application has two secrets already, of which a rotation ends the older one. */
function hasOlderSecret({ secrets }: Application): boolean {
  return secrets
    .slice(0, -1)
    .some(({ expires_at }) => expires_at === undefined || expires_at > presentTime());
}

/** Gives an application a new secret, and sets when the previous one expires. */
export function RotateSecret({ opened, onClose, application }: Props) {
  const { applications } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const [oldExpiresIn, setOldExpiresIn] = useState(String(24 * hour));
  const mutation = useMutation({
    mutationFn: () =>
      callConsole(
        'rotateSecret',
        { app_id: application.app_id, old_expires_in_seconds: Number(oldExpiresIn) },
        tenant,
      ),
    onSettled: () => invalidate('applications'),
  });
  const { question } = useDiscardGuard(mutation.isPending, 'making');
  const close = () => {
    // The secret would be lost.
    if (mutation.isPending) return;
    mutation.reset();
    onClose();
  };
  const issued = mutation.data;
  const endsOlder = hasOlderSecret(application);
  const ends = [0, hour, 24 * hour, 7 * 24 * hour, consoleLimits.oldSecretSecondsMax].map((seconds) => ({
    value: String(seconds),
    label: applications.endsIn(seconds / hour),
  }));
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={issued === undefined ? applications.rotate : applications.credentials(application.name)}
      size="lg"
      closeOnClickOutside={issued === undefined}
      closeOnEscape={issued === undefined}
      withCloseButton={issued === undefined}
    >
      {question}
      {issued === undefined ? (
        <Stack gap="md">
          <Text size="sm" aria-live="polite">
            {oldExpiresIn === '0' ? applications.rotateNowHelp : applications.rotateHelp}
          </Text>
          {endsOlder && (
            <Alert color="yellow" variant="light" role="alert">
              {applications.endsOldest}
            </Alert>
          )}
          <Select
            label={applications.oldSecret}
            data-autofocus
            allowDeselect={false}
            data={ends}
            value={oldExpiresIn}
            onChange={(value) => setOldExpiresIn(value ?? oldExpiresIn)}
          />
          <DialogActions
            action={applications.rotate}
            mutation={mutation}
            onCancel={close}
            onAct={() => mutation.mutate()}
          />
        </Stack>
      ) : (
        <NewCredentials appId={issued.app_id} appSecret={issued.app_secret} onStored={close} />
      )}
    </Modal>
  );
}

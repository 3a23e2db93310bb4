import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callConsole } from '../../../api/call.ts';
import type { FoundUser } from '../../../api/user-search-query.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { FailureNotice } from '../../../parts/notices/failure-notice.tsx';
import { useTenant } from '../../../parts/use-tenant.ts';
import { type BulkAction, wantedOf } from './bulk-action.ts';
import { BulkChoice } from './bulk-choice.tsx';
import { BulkPreview } from './bulk-preview.tsx';
import { useBulkChange } from './use-bulk-change.ts';

interface Props {
  readonly action: BulkAction;
  readonly users: readonly FoundUser[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks what to set, shows what changes of each user, and changes all of them in one step. */
export function BulkDialog({ action, users, onClose, onDone }: Props) {
  const { bulk, general } = useTexts();
  const [choice, setChoice] = useState<string>();
  const preview = usePreview(action, choice, users);
  const change = useBulkChange(action, choice, () => {
    onClose();
    onDone();
  });
  const changed = preview.data?.changed ?? 0;
  return (
    <Modal opened onClose={onClose} title={bulk.titles[action](users.length)} size="lg">
      <Stack gap="md">
        <BulkChoice action={action} onChoose={setChoice} />
        {preview.isLoading && <Skeleton height={80} />}
        {preview.isError && <FailureNotice error={preview.error} onRetry={() => preview.refetch()} />}
        {preview.data !== undefined && <BulkPreview users={preview.data.users} />}
        {change.isError && <FailureNotice error={change.error} />}
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {preview.data !== undefined && bulk.summary(changed, users.length)}
          </Text>
          <Group gap="xs" ml="auto">
            <Button variant="default" onClick={onClose}>
              {general.cancel}
            </Button>
            <Button
              disabled={changed === 0}
              loading={change.isPending}
              onClick={() => change.mutate(preview.data?.users ?? [])}
            >
              {bulk.titles[action](preview.data?.changed ?? users.length)}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}

function usePreview(action: BulkAction, choice: string | undefined, users: readonly FoundUser[]) {
  const tenant = useTenant();
  const wanted = wantedOf(action, choice);
  const names = users.map(({ username }) => ({ username }));
  return useQuery({
    queryKey: ['users', String(tenant), 'preview', action, choice, names],
    enabled: wanted !== undefined,
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) =>
      callConsole('changeUsers', { users: names, ...wanted, dry_run: true }, tenant, { signal }),
  });
}

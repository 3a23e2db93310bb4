import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../api/call.ts';
import { type UserFilter, userCountQuery } from '../../api/count-queries.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { useTexts } from '../../i18n/texts.ts';
import { TypedConfirmation } from '../fields/typed-confirmation.tsx';
import { notifyDone } from '../notices/notify.ts';
import { useTenant } from '../use-tenant.ts';

interface Props {
  readonly title: string;
  /** The name that the operator must type. */
  readonly name: string;
  /** Selects the users that are assigned to it. */
  readonly assigned: Pick<UserFilter, 'role_id' | 'org_id' | 'store_code'>;
  /** Number of organizations below it, which keep it from being deleted. */
  readonly below?: number;
  readonly remove: (force: boolean) => Promise<unknown>;
  readonly done: string;
  /** Query keys of what the deletion changes. */
  readonly staleKeys: readonly string[];
  /** Called after the deletion, before `onClose`. */
  readonly onRemoved?: () => void;
  readonly onClose: () => void;
}

/** The codes of a refusal because users are assigned to the role, the organization or the store. */
const inUse: readonly number[] = [1203, 1303, 1403];

/**
 * Deletes a role, an organization or a store. If users are assigned to it, the first attempt deletes nothing, and only
 * a second confirmation unassigns them.
 */
export function RemoveTarget(props: Props) {
  const { title, name, assigned, below = 0, remove, done, staleKeys, onRemoved, onClose } = props;
  const { targets } = useTexts();
  const invalidate = useInvalidate();
  const users = useAssignedCount(assigned);
  const [refusal, setRefusal] = useState<Error>();
  const mutation = useMutation({
    mutationFn: () => remove(refusal !== undefined),
    onError(error) {
      if (!(error instanceof CallError && inUse.includes(error.code))) return;
      setRefusal(error);
      users.refetch();
      // The page's list of organizations may be out of date too.
      invalidate('orgs');
    },
    onSuccess() {
      invalidate(...staleKeys);
      notifyDone(done);
      onRemoved?.();
    },
  });
  if (below > 0) return <Blocked title={title} help={targets.blocked(name, below)} onClose={onClose} />;
  const { count, isMore } = users.data ?? {};
  return (
    <TypedConfirmation
      opened
      onClose={onClose}
      title={title}
      help={targets.removeHelp(name, count, isMore)}
      name={name}
      action={refusal === undefined ? title : targets.force}
      mutation={mutation}
      refusal={refusal && { error: refusal, text: targets.forceHelp(name, count, isMore) }}
    />
  );
}

/** Counts when the dialog opens, because the operator confirms the number. After the deletion there is nothing left to count. */
function useAssignedCount(assigned: Props['assigned']) {
  const query = userCountQuery(useTenant(), assigned);
  return useQuery({ ...query, queryKey: ['assigned', ...query.queryKey], staleTime: 0 });
}

type BlockedProps = Pick<Props, 'title' | 'onClose'> & { readonly help: string };

function Blocked({ title, help, onClose }: BlockedProps) {
  const { general } = useTexts();
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack gap="sm">
        <Text size="sm">{help}</Text>
        <Group justify="flex-end" gap="xs">
          <Button data-autofocus variant="default" onClick={onClose}>
            {general.close}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

import { Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callConsole, type OwnResult } from '../../api/call.ts';
import { useTexts } from '../../i18n/texts.ts';
import { DialogActions } from '../../parts/dialog-actions.tsx';
import { notifyDone } from '../../parts/notify.ts';
import { type Access, AccessFields } from './access-fields.tsx';
import { NewLink } from './new-link.tsx';

export type Operator = OwnResult<'listOperators'>['operators'][number];

interface InviteProps {
  readonly onClose: () => void;
}

const leastAccess: Access = { role: 'viewer', all_tenants: false, tenant_ids: [] };

/** Makes a link that creates an operator. */
export function InviteOperator({ onClose }: InviteProps) {
  const { operators } = useTexts().settings;
  const [access, setAccess] = useState(leastAccess);
  const mutation = useMutation({ mutationFn: () => callConsole('inviteOperator', access), gcTime: 0 });
  const hasTenant = access.all_tenants || access.tenant_ids.length > 0;
  return (
    <LinkDialog title={operators.invite} mutation={mutation} canRun={hasTenant} onClose={onClose}>
      <AccessFields value={access} onChange={setAccess} />
    </LinkDialog>
  );
}

interface OperatorProps {
  readonly operator: Operator;
  readonly onClose: () => void;
}

/** Makes a link that sets a new password. */
export function ResetOperator({ operator, onClose }: OperatorProps) {
  const { operators } = useTexts().settings;
  const mutation = useMutation({
    mutationFn: () => callConsole('resetOperator', { id: operator.id }),
    gcTime: 0,
  });
  return (
    <LinkDialog title={operators.reset} mutation={mutation} canRun onClose={onClose}>
      <Text size="sm">{operators.resetHelp(operator.username)}</Text>
    </LinkDialog>
  );
}

interface LinkDialogProps {
  readonly title: string;
  readonly mutation: ReturnType<typeof useMutation<OwnResult<'inviteOperator'>, Error, void>>;
  readonly canRun: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function LinkDialog({ title, mutation, canRun, onClose, children }: LinkDialogProps) {
  const link = mutation.data;
  const isOpen = link === undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={isOpen}
      closeOnEscape={isOpen}
      withCloseButton={isOpen}
    >
      {link !== undefined && <NewLink link={link} onStored={onClose} />}
      {link === undefined && (
        <Stack gap="md">
          {children}
          <DialogActions
            action={title}
            mutation={mutation}
            onCancel={onClose}
            disabled={!canRun}
            onAct={() => mutation.mutate()}
          />
        </Stack>
      )}
    </Modal>
  );
}

/** Changes what an operator may do, and where. */
export function EditOperator({ operator, onClose }: OperatorProps) {
  const { general, settings, users } = useTexts();
  const client = useQueryClient();
  const { role, all_tenants, tenant_ids } = operator;
  const [access, setAccess] = useState<Access>({ role, all_tenants, tenant_ids });
  const mutation = useMutation({
    mutationFn: () => callConsole('updateOperator', { id: operator.id, ...access }),
    onSuccess() {
      client.invalidateQueries({ queryKey: ['operators'] });
      client.invalidateQueries({ queryKey: ['session'] });
      notifyDone(users.saved);
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={settings.operators.edit(operator.username)}>
      <Stack gap="md">
        <AccessFields value={access} onChange={setAccess} />
        <DialogActions
          action={general.save}
          mutation={mutation}
          onCancel={onClose}
          onAct={() => mutation.mutate()}
        />
      </Stack>
    </Modal>
  );
}

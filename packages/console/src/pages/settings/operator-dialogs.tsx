import { Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { AnswerLostError, callConsole, type OwnResult } from '../../api/call.ts';
import { type Session, useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { AskForPassword } from '../../parts/fields/ask-for.tsx';
import { notifyDone } from '../../parts/notices/notify.ts';
import { type Access, AccessFields } from './access-fields.tsx';
import { NewLink } from './new-link.tsx';
import { useMaking } from './use-making.ts';

export type Operator = OwnResult<'listOperators'>['operators'][number];

interface InviteProps {
  readonly onClose: () => void;
}

/** Makes a link that creates an operator. */
export function InviteOperator({ onClose }: InviteProps) {
  const { operators } = useTexts().settings;
  const { tenants } = useSession();
  const [access, setAccess] = useState(() => leastAccess(tenants));
  return (
    <LinkDialog
      title={operators.invite}
      fields={<AccessFields value={access} onChange={setAccess} />}
      make={(password) => callConsole('inviteOperator', { ...access, password })}
      onClose={onClose}
    />
  );
}

/** Returns the access to begin with. If there is only one tenant, nobody means another. */
function leastAccess(tenants: Session['tenants']): Access {
  return {
    role: 'viewer',
    all_tenants: false,
    tenant_ids: tenants.length > 1 ? [] : tenants.map(({ id }) => id),
  };
}

interface OperatorProps {
  readonly operator: Operator;
  readonly onClose: () => void;
}

/** Makes a link that sets a new password. */
export function ResetOperator({ operator, onClose }: OperatorProps) {
  const { operators } = useTexts().settings;
  return (
    <LinkDialog
      title={operators.reset}
      help={operators.resetHelp(operator.username)}
      make={(password) => callConsole('resetOperator', { id: operator.id, password })}
      onClose={onClose}
    />
  );
}

interface LinkDialogProps {
  readonly title: string;
  readonly help?: string;
  readonly fields?: ReactNode;
  readonly make: (password: string) => Promise<OwnResult<'inviteOperator'>>;
  readonly onClose: () => void;
}

function LinkDialog({ title, help, make, onClose, ...form }: LinkDialogProps) {
  const [link, setLink] = useState<OwnResult<'inviteOperator'>>();
  const client = useQueryClient();
  const { close, make: keepOpen, question } = useMaking(onClose);
  const isOpen = link === undefined;
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      closeOnClickOutside={isOpen}
      closeOnEscape={isOpen}
      withCloseButton={isOpen}
    >
      {link !== undefined && <NewLink link={link} onStored={onClose} />}
      {question}
      {link === undefined && (
        <Stack gap="md">
          {help !== undefined && <Text size="sm">{help}</Text>}
          <AskForPassword
            action={title}
            run={(password) =>
              keepOpen(async () => {
                const list = () => client.invalidateQueries({ queryKey: ['operators'] });
                const made = await make(password).catch((error) => {
                  // Somebody may want to withdraw a link that nobody has seen.
                  if (error instanceof AnswerLostError) list();
                  throw error;
                });
                list();
                setLink(made);
              })
            }
            onCancel={close}
            {...form}
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
  const [before] = useState<Access>({ role, all_tenants, tenant_ids });
  const [access, setAccess] = useState(before);
  return (
    <Modal opened onClose={onClose} title={settings.operators.edit(operator.username)}>
      <AskForPassword
        action={general.save}
        fields={<AccessFields value={access} onChange={setAccess} />}
        run={async (password) => {
          await callConsole('updateOperator', { id: operator.id, ...changesOf(before, access), password });
          client.invalidateQueries({ queryKey: ['operators'] });
          client.invalidateQueries({ queryKey: ['session'] });
          notifyDone(users.saved);
          onClose();
        }}
        onCancel={onClose}
      />
    </Modal>
  );
}

/** Returns what differs: another owner may have changed the rest since the dialog opened. */
function changesOf(before: Access, { role, ...reach }: Access): Partial<Access> {
  return { ...(role !== before.role && { role }), ...(!isSameReach(before, reach) && reach) };
}

function isSameReach(a: Omit<Access, 'role'>, b: Omit<Access, 'role'>): boolean {
  if (a.all_tenants || b.all_tenants) return a.all_tenants === b.all_tenants;
  return String([...a.tenant_ids].sort()) === String([...b.tenant_ids].sort());
}

/** Disables an active operator, or enables a disabled one. */
export function ChangeStatus({ operator, onClose }: OperatorProps) {
  const { settings, users } = useTexts();
  const client = useQueryClient();
  const { id, username, status } = operator;
  const isActive = status === 'active';
  const action = settings.operators[isActive ? 'disable' : 'enable'];
  return (
    <Modal opened onClose={onClose} title={action}>
      <Stack gap="md">
        <Text size="sm">{settings.operators[isActive ? 'disableHelp' : 'enableHelp'](username)}</Text>
        <AskForPassword
          action={action}
          run={async (password) => {
            await callConsole('updateOperator', { id, status: isActive ? 'disabled' : 'active', password });
            client.invalidateQueries({ queryKey: ['operators'] });
            notifyDone(isActive ? users.nowDisabled(username) : users.nowActive(username));
            onClose();
          }}
          onCancel={onClose}
        />
      </Stack>
    </Modal>
  );
}

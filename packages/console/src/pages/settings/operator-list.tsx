import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operatorsQuery } from '../../api/operators-query.ts';
import { useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { hasNothingToShow } from '../../parts/notices/has-nothing-to-show.ts';
import { AddButton } from '../../parts/page/add-button.tsx';
import { RowMenu } from '../../parts/page/row-menu.tsx';
import { RelativeTime } from '../../parts/values/relative-time.tsx';
import { StatusDot } from '../../parts/values/status-dot.tsx';
import { type OpenLink, OpenLinks, WithdrawLink } from './open-links.tsx';
import {
  ChangeStatus,
  EditOperator,
  InviteOperator,
  type Operator,
  ResetOperator,
} from './operator-dialogs.tsx';
import styles from './settings-page.module.css';
import { useTenantNames } from './use-tenant-names.ts';

const lookAgainMs = 60_000;

type Change = 'edit' | 'reset' | 'status';

type Opened =
  | { readonly kind: 'invite' }
  | { readonly kind: Change; readonly operator: Operator }
  | { readonly kind: 'withdraw'; readonly link: OpenLink }
  | undefined;

/** Every operator, with what can be changed. */
export function OperatorList() {
  const { operators } = useTexts().settings;
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const query = useQuery({
    ...operatorsQuery,
    // A link may end, or be used, while the page is open. A refused reload would close an open dialog and lose what was
    // typed.
    refetchInterval: ({ state }) =>
      opened === undefined && state.data?.open_links.length ? lookAgainMs : false,
  });
  if (hasNothingToShow(query)) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return <Skeleton height={96} />;
  return (
    <>
      <ul className={styles.list}>
        {query.data.operators.map((operator) => (
          <Row
            key={String(operator.id)}
            operator={operator}
            onOpen={(kind) => setOpened({ kind, operator })}
          />
        ))}
      </ul>
      {query.data.open_links.length > 0 && (
        <OpenLinks listed={query.data} onWithdraw={(link) => setOpened({ kind: 'withdraw', link })} />
      )}
      <AddButton onClick={() => setOpened({ kind: 'invite' })}>{operators.invite}</AddButton>
      {opened?.kind === 'invite' && <InviteOperator onClose={close} />}
      {opened?.kind === 'edit' && <EditOperator operator={opened.operator} onClose={close} />}
      {opened?.kind === 'reset' && <ResetOperator operator={opened.operator} onClose={close} />}
      {opened?.kind === 'withdraw' && <WithdrawLink link={opened.link} listed={query.data} onClose={close} />}
      {opened?.kind === 'status' && <ChangeStatus operator={opened.operator} onClose={close} />}
    </>
  );
}

interface RowProps {
  readonly operator: Operator;
  readonly onOpen: (kind: Change) => void;
}

function Row({ operator, onOpen }: RowProps) {
  const { general, settings } = useTexts();
  const { operators } = settings;
  const { username, role, status, last_seen_at } = operator;
  const where = useTenantNames(operator);
  // The server refuses a reset link for oneself: it would turn the second factor off without a code.
  const isSelf = useSession().operator.id === operator.id;
  return (
    <li className={styles.row}>
      <div className={styles.grow}>
        <Text fw={600}>{username}</Text>
        <Text size="xs" c="dimmed">
          {operators.roles[role]} · {where}
          {last_seen_at !== undefined && (
            <>
              {' · '}
              {operators.lastSeen}
              <RelativeTime at={last_seen_at} />
            </>
          )}
        </Text>
      </div>
      <StatusDot tone={status === 'active' ? 'good' : 'off'} word={general[status]} />
      <RowMenu
        of={username}
        items={[
          { label: operators.change, run: () => onOpen('edit') },
          ...(isSelf ? [] : [{ label: operators.reset, run: () => onOpen('reset') }]),
          { label: status === 'active' ? operators.disable : operators.enable, run: () => onOpen('status') },
        ]}
      />
    </li>
  );
}

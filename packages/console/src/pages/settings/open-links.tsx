import { Button, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CallError, callConsole, type OwnResult } from '../../api/call.ts';
import { type Id, sameId } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { AskForPassword } from '../../parts/fields/ask-for.tsx';
import { notifyDone } from '../../parts/notices/notify.ts';
import { RelativeTime } from '../../parts/values/relative-time.tsx';
import styles from './settings-page.module.css';
import { useTenantNames } from './use-tenant-names.ts';

const noSuchLink = 1622;

type Listed = OwnResult<'listOperators'>;
export type OpenLink = Listed['open_links'][number];

interface Props {
  readonly listed: Listed;
  readonly onWithdraw: (link: OpenLink) => void;
}

/** The links that can still be used, each of which can be withdrawn. */
export function OpenLinks({ listed, onWithdraw }: Props) {
  const { operators: texts } = useTexts().settings;
  return (
    <>
      <h3 className={styles.subtitle}>{texts.openLinks}</h3>
      <p className={styles.help}>{texts.openLinksHelp}</p>
      <ul className={styles.list} aria-label={texts.openLinks}>
        {listed.open_links.map((link) => (
          <Row key={link.id} link={link} listed={listed} onWithdraw={() => onWithdraw(link)} />
        ))}
      </ul>
    </>
  );
}

interface LinkProps {
  readonly link: OpenLink;
  readonly listed: Listed;
}

interface RowProps extends LinkProps {
  readonly onWithdraw: () => void;
}

function Row({ link, listed, onWithdraw }: RowProps) {
  const { general, settings } = useTexts();
  const { withdraw } = settings.operators;
  const title = useTitle({ link, listed });
  return (
    <li className={styles.row}>
      <LinkFacts link={link} listed={listed} />
      <Button
        variant="default"
        size="xs"
        aria-label={`${general.titled(withdraw)}${title}`}
        onClick={onWithdraw}
      >
        {withdraw}
      </Button>
    </li>
  );
}

/** Shows what a link is for, who made it and when it ends. */
function LinkFacts({ link, listed }: LinkProps) {
  const { operators: texts } = useTexts().settings;
  const where = useTenantNames(link);
  const maker = nameOf(link.made_by, listed);
  return (
    <div className={styles.grow}>
      <Text fw={600}>{useTitle({ link, listed })}</Text>
      <Text size="xs" c="dimmed">
        {link.operator_id === undefined && `${where} · `}
        {maker === undefined ? texts.madeByCommand : texts.madeBy(maker)}
        {' · '}
        <Text span inherit style={{ whiteSpace: 'nowrap' }}>
          {texts.expires}
          <RelativeTime at={link.expires_at} />
        </Text>
      </Text>
    </div>
  );
}

function useTitle({ link, listed }: LinkProps): string {
  const { operators: texts } = useTexts().settings;
  const reset = nameOf(link.operator_id, listed);
  return reset === undefined ? texts.invitation(texts.roles[link.role]) : texts.resetLink(reset);
}

function nameOf(id: Id | undefined, { operators }: Listed): string | undefined {
  return operators.find((operator) => id !== undefined && sameId(operator.id, id))?.username;
}

interface WithdrawProps extends LinkProps {
  readonly onClose: () => void;
}

/** Ends a link at once. */
export function WithdrawLink({ link, listed, onClose }: WithdrawProps) {
  const { operators: texts } = useTexts().settings;
  const client = useQueryClient();
  const reload = () => client.invalidateQueries({ queryKey: ['operators'] });
  return (
    <Modal opened onClose={onClose} title={texts.withdrawLink}>
      <Stack gap="md">
        <LinkFacts link={link} listed={listed} />
        <Text size="sm">{texts.withdrawHelp}</Text>
        <AskForPassword
          action={texts.withdrawLink}
          onCancel={onClose}
          run={async (password) => {
            await callConsole('withdrawLink', { id: link.id, password }).catch((error) => {
              if (error instanceof CallError && error.code === noSuchLink) reload();
              throw error;
            });
            reload();
            notifyDone(texts.withdrawn);
            onClose();
          }}
        />
      </Stack>
    </Modal>
  );
}

import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callConsole, type OwnResult } from '../../api/call.ts';
import { useTexts } from '../../i18n/texts.ts';
import { AskForPassword } from '../../parts/fields/ask-for.tsx';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { hasNothingToShow } from '../../parts/notices/has-nothing-to-show.ts';
import { notifyDone } from '../../parts/notices/notify.ts';
import { RelativeTime } from '../../parts/values/relative-time.tsx';
import { StatusDot } from '../../parts/values/status-dot.tsx';
import { browserName } from './browser-name.ts';
import { EndSessions } from './end-sessions.tsx';
import styles from './settings-page.module.css';

type Session = OwnResult<'listSessions'>['sessions'][number];

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  // Somebody who looks here may be looking for a stranger.
  staleTime: 0,
  queryFn: async ({ signal }) => (await callConsole('listSessions', {}, undefined, { signal })).sessions,
});

/** The operator's own sessions, each of which can be ended. */
export function SessionList() {
  const { sessions: texts } = useTexts().settings;
  const [ending, setEnding] = useState<Session | 'others'>();
  const close = () => setEnding(undefined);
  const query = useQuery(sessionsQuery);
  if (hasNothingToShow(query)) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return <Skeleton height={96} />;
  const current = query.data.filter((session) => session.current);
  const others = query.data.filter((session) => !session.current);
  return (
    <>
      <ul className={styles.list}>
        {[...current, ...others].map((session) => (
          <Row key={session.id} session={session} onEnd={() => setEnding(session)} />
        ))}
      </ul>
      <Group gap="xs">
        {others.length > 0 && (
          <Button variant="default" onClick={() => setEnding('others')}>
            {texts.endOthers}
          </Button>
        )}
        <EndSessions />
      </Group>
      {ending === 'others' && <EndOthers count={others.length} onClose={close} />}
      {typeof ending === 'object' && <EndOne session={ending} onClose={close} />}
    </>
  );
}

interface RowProps {
  readonly session: Session;
  readonly onEnd: () => void;
}

function Row({ session, onEnd }: RowProps) {
  const { settings, general } = useTexts();
  const { sessions: texts } = settings;
  const name = useName(session);
  return (
    <li className={styles.row}>
      <div className={styles.grow}>
        <Text fw={600} truncate title={session.user_agent}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {session.address !== undefined && `${session.address} · `}
          <Text span inherit style={{ whiteSpace: 'nowrap' }}>
            {texts.begun}
            <RelativeTime at={session.created_at} />
          </Text>
          {' · '}
          <Text span inherit style={{ whiteSpace: 'nowrap' }}>
            {texts.lastUsed}
            <RelativeTime at={session.last_seen_at} />
          </Text>
        </Text>
      </div>
      {session.current && <StatusDot tone="good" word={texts.current} />}
      {!session.current && (
        <Button
          variant="default"
          size="xs"
          aria-label={`${general.titled(texts.end)}${name}`}
          onClick={onEnd}
        >
          {texts.end}
        </Button>
      )}
    </li>
  );
}

/** Returns what the operator knows the browser by. */
function useName({ user_agent = '' }: Session): string {
  const { sessions: texts } = useTexts().settings;
  const known = browserName(user_agent);
  if (known === undefined) return user_agent || texts.unknownBrowser;
  return known.system === undefined ? known.browser : texts.browserOn(known.browser, known.system);
}

interface EndOneProps {
  readonly session: Session;
  readonly onClose: () => void;
}

function EndOne({ session, onClose }: EndOneProps) {
  const { sessions: texts } = useTexts().settings;
  const name = useName(session);
  return (
    <EndDialog
      help={texts.endHelp(name)}
      action={texts.end}
      done={texts.ended(1)}
      end={(password) => callConsole('endSession', { id: session.id, password })}
      onClose={onClose}
    />
  );
}

interface EndOthersProps {
  readonly count: number;
  readonly onClose: () => void;
}

function EndOthers({ count, onClose }: EndOthersProps) {
  const { sessions: texts } = useTexts().settings;
  return (
    <EndDialog
      help={texts.endOthersHelp(count)}
      action={texts.endOthers}
      done={texts.ended(count)}
      end={(password) => callConsole('endOtherSessions', { password })}
      onClose={onClose}
    />
  );
}

interface EndDialogProps {
  readonly help: string;
  readonly action: string;
  readonly done: string;
  readonly end: (password: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for the password, so that a stranger at this browser cannot throw out its operator elsewhere. */
function EndDialog({ help, action, done, end, onClose }: EndDialogProps) {
  const client = useQueryClient();
  const reload = () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  return (
    <Modal opened onClose={onClose} title={action}>
      <Stack gap="md">
        <Text size="sm">{help}</Text>
        <AskForPassword
          action={action}
          onCancel={onClose}
          run={async (password) => {
            // Reloads the list even after a refusal, because the session may have ended already.
            await end(password).finally(reload);
            notifyDone(done);
            onClose();
          }}
        />
      </Stack>
    </Modal>
  );
}

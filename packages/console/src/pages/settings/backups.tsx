import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callConsole, type OwnResult } from '../../api/call.ts';
import { useLanguage, useTexts } from '../../i18n/texts.ts';
import { sayBackupProblem } from '../../i18n/zh/backup-problems.ts';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { hasNothingToShow } from '../../parts/notices/has-nothing-to-show.ts';
import { notifyFailure } from '../../parts/notices/notify.ts';
import { RelativeTime } from '../../parts/values/relative-time.tsx';
import { StatusDot } from '../../parts/values/status-dot.tsx';
import { deploymentQuery } from './deployment-queries.ts';
import { sizeOf } from './file-size.ts';
import styles from './settings-page.module.css';

const verifying = ['verify-backup'];

type Shown = OwnResult<'queryDeployment'>;

/** The last and the next backup, and a button that verifies the last one now. */
export function Backups() {
  const { backups } = useTexts().settings;
  const query = useQuery(deploymentQuery);
  const client = useQueryClient();
  const verify = useMutation({
    mutationKey: verifying,
    mutationFn: () => callConsole('verifyBackup', {}),
    onSettled: () => client.invalidateQueries({ queryKey: deploymentQuery.queryKey, exact: true }),
    onError: notifyFailure,
  });
  if (hasNothingToShow(query)) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return <Skeleton height={96} />;
  const { last_backup, verification } = query.data;
  return (
    <>
      <BackupFacts shown={query.data} />
      {verification?.problem !== undefined && <Problem problem={verification.problem} />}
      {last_backup !== undefined && (
        <Button
          variant="default"
          loading={verify.isPending || verification?.state === 'running'}
          onClick={() => {
            // The second click of a double click comes before the button shows that it works.
            if (client.isMutating({ mutationKey: verifying }) === 0) verify.mutate();
          }}
        >
          {backups.verify}
        </Button>
      )}
    </>
  );
}

function Problem({ problem }: { readonly problem: string }) {
  const { texts, language } = useLanguage();
  const { backups, doctor } = texts.settings;
  const said = language === 'zh' ? sayBackupProblem(problem) : { message: problem, original: undefined };
  return (
    <Alert color="red" variant="light" mb="md" role="alert" title={backups.problem}>
      {said.message}
      {said.original !== undefined && (
        <Text size="xs" mt={4}>
          {doctor.original}
          <span lang="en">{said.original}</span>
        </Text>
      )}
    </Alert>
  );
}

function BackupFacts({ shown }: { readonly shown: Shown }) {
  const { backups } = useTexts().settings;
  const { last_backup: last, next_backup_at: nextAt, backup_every_ms: everyMs, verification } = shown;
  const scheduled = everyMs !== undefined;
  return (
    <dl className={styles.facts}>
      <div className={styles.fact}>
        <dt>{backups.last}</dt>
        <dd>
          {last === undefined ? (
            <NoBackup scheduled={scheduled} />
          ) : (
            <>
              <RelativeTime at={last.at} /> · {sizeOf(Number(last.bytes))}
              <code className={styles.setting}>{last.file}</code>
            </>
          )}
        </dd>
      </div>
      <div className={styles.fact}>
        <dt>{backups.next}</dt>
        <dd>
          {nextAt !== undefined && <RelativeTime at={nextAt} />}
          {scheduled && nextAt === undefined && backups.soon}
          {!scheduled && (
            <>
              {backups.notScheduled} <code className={styles.setting}>--backup-every --backup-to</code>
            </>
          )}
        </dd>
      </div>
      {verification !== undefined && (
        <div className={styles.fact}>
          <dt>{backups.verification}</dt>
          <dd>
            <StatusDot tone={tones[verification.state]} word={backups.states[verification.state]} />{' '}
            <RelativeTime at={verification.at} />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Says how to make the first backup, unless the server makes it within a minute. */
function NoBackup({ scheduled }: { readonly scheduled: boolean }) {
  const { general, settings } = useTexts();
  const { none, makeOne } = settings.backups;
  if (scheduled) return none;
  return (
    <>
      {none + general.sentenceGap + makeOne}{' '}
      <code className={styles.setting}>fieldroster backup --verify --to FILE</code>
    </>
  );
}

const tones = { running: 'off', good: 'good', failed: 'bad' } as const;

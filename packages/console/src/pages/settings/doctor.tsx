import { Button, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OwnResult } from '../../api/call.ts';
import { useLanguage, useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { hasNothingToShow } from '../../parts/notices/has-nothing-to-show.ts';
import { StatusDot } from '../../parts/values/status-dot.tsx';
import { findingsQuery } from './deployment-queries.ts';
import { sayFinding } from './say-finding.ts';
import styles from './settings-page.module.css';

type Finding = OwnResult<'examineDeployment'>['findings'][number];

const order = ['error', 'warning', 'note', 'ok'] as const;

const tones = { error: 'bad', warning: 'bad', note: 'off', ok: 'good' } as const;

/** The doctor's findings, the worst first, with what to do about each. */
export function Doctor() {
  const { doctor } = useTexts().settings;
  const query = useQuery(findingsQuery);
  if (hasNothingToShow(query)) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return <Skeleton height={144} />;
  const findings = query.data.toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
  return (
    <>
      <ul className={styles.list}>
        {findings.map((finding) => (
          <Row key={`${finding.check} ${finding.message}`} finding={finding} />
        ))}
      </ul>
      <Button variant="default" loading={query.isFetching} onClick={() => query.refetch()}>
        {doctor.again}
      </Button>
    </>
  );
}

function Row({ finding }: { readonly finding: Finding }) {
  const { texts, language } = useLanguage();
  const { doctor } = texts.settings;
  const { check, level } = finding;
  const { message, advice, original } = sayFinding(finding, language);
  return (
    <li className={styles.row}>
      <div className={styles.grow}>
        <Text fw={600}>{doctor.checks[check as keyof typeof doctor.checks] ?? check}</Text>
        <Text size="xs" c="dimmed">
          {message}
        </Text>
        {original !== undefined && (
          <Text size="xs" c="dimmed">
            {doctor.original}
            <span lang="en">{original}</span>
          </Text>
        )}
        {advice !== undefined && (
          <Text size="xs" mt={2}>
            {doctor.advice(advice)}
          </Text>
        )}
      </div>
      <StatusDot tone={tones[level]} word={doctor.levels[level]} />
    </li>
  );
}

import { Progress, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useInvalidate } from '../../../api/use-invalidate.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { FailureNotice } from '../../../parts/notices/failure-notice.tsx';
import { useTenant } from '../../../parts/use-tenant.ts';
import type { ImportJob } from '../job/import-job.ts';
import { type Progress as ImportProgress, runImport } from '../job/run-import.ts';

interface Props {
  readonly job: ImportJob;
  readonly onProgress: (job: ImportJob) => void;
}

/** Applies the batches one after another. */
export function RunningStep({ job, onProgress }: Props) {
  const { importTexts } = useTexts();
  const { progress, failure, isElsewhere, retry } = useRunning(job, onProgress);
  const { done, all } = progress ?? { done: 0, all: 0 };
  return (
    <Stack gap="md">
      <Text fw={600}>{job.fileName}</Text>
      <div>
        <Text size="sm" mb={4} role="status">
          {isElsewhere && importTexts.elsewhere}
          {!isElsewhere && (progress === undefined ? importTexts.reading : importTexts.running(done, all))}
        </Text>
        <Progress value={all === 0 ? 0 : (done / all) * 100} aria-label={importTexts.titles[job.kind]} />
      </div>
      <Text c="dimmed">{importTexts.runningHelp}</Text>
      {failure !== undefined && <FailureNotice error={failure} onRetry={retry} />}
    </Stack>
  );
}

const lookAgainMs = 2000;

function useRunning({ owner }: ImportJob, onDone: (job: ImportJob) => void) {
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const [progress, setProgress] = useState<ImportProgress>();
  const [failure, setFailure] = useState<unknown>();
  const [isElsewhere, setIsElsewhere] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    runImport({ tenant, owner, signal: leaving.signal, onProgress: setProgress }).then(
      (job) => {
        if (leaving.signal.aborted) return;
        setIsElsewhere(job === undefined);
        if (job === undefined) {
          again = setTimeout(() => setAttempt(attempt + 1), lookAgainMs);
          return;
        }
        invalidate('users', 'user', 'user-stores', 'store-users', 'store', 'stores', 'orgs', 'roles');
        onDone(job);
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setFailure(error);
      },
    );
    return () => {
      leaving.abort();
      clearTimeout(again);
    };
  }, [tenant, owner, attempt, invalidate, onDone]);
  const retry = () => {
    setFailure(undefined);
    setAttempt(attempt + 1);
  };
  return { progress, failure, isElsewhere, retry };
}

import { Group, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { OperatorLeftError } from '../../../api/acting.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { FailureNotice } from '../../../parts/notices/failure-notice.tsx';
import { useTenant } from '../../../parts/use-tenant.ts';
import type { ImportJob, Progress as ImportProgress } from '../job/import-job.ts';
import { notHere, runImport } from '../job/run-import.ts';
import { useInvalidateDirectory } from '../job/use-invalidate-directory.ts';
import { DiscardImport } from './discard-import.tsx';

interface Props {
  readonly job: ImportJob;
  /** Gets `null` if the import was removed in another tab. */
  readonly onEnd: (job: ImportJob | null) => void;
  readonly onDiscard: () => void;
}

/** Applies the batches one after another. */
export function RunningStep({ job, onEnd, onDiscard }: Props) {
  const { importTexts } = useTexts();
  const { progress, failure, isElsewhere, retry } = useRunning(job, onEnd);
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
      <Group gap="xs">
        <DiscardImport progress={progress ?? job.progress} onDiscard={onDiscard} />
      </Group>
    </Stack>
  );
}

const lookAgainMs = 2000;

function useRunning({ owner }: ImportJob, onEnd: Props['onEnd']) {
  const tenant = useTenant();
  const invalidate = useInvalidateDirectory();
  const [progress, setProgress] = useState<ImportProgress>();
  const [failure, setFailure] = useState<unknown>();
  const [isElsewhere, setIsElsewhere] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    runImport({ tenant, owner, signal: leaving.signal, onProgress: setProgress }).then(
      (job) => {
        // The last batch may end after the page was left, or the import discarded.
        if (leaving.signal.aborted) return invalidate();
        setIsElsewhere(job === notHere);
        if (job === notHere) {
          again = setTimeout(() => setAttempt(attempt + 1), lookAgainMs);
          return;
        }
        invalidate();
        onEnd(job);
      },
      (error: unknown) => {
        if (!leaving.signal.aborted && !(error instanceof OperatorLeftError)) setFailure(error);
      },
    );
    return () => {
      leaving.abort();
      clearTimeout(again);
    };
  }, [tenant, owner, attempt, invalidate, onEnd]);
  const retry = () => {
    setFailure(undefined);
    setAttempt(attempt + 1);
  };
  return { progress, failure, isElsewhere, retry };
}

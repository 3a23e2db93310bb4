import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { acting } from '../../../api/acting.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { FailureNotice } from '../../../parts/notices/failure-notice.tsx';
import { useTenant } from '../../../parts/use-tenant.ts';
import { RelativeTime, useExactTime } from '../../../parts/values/relative-time.tsx';
import styles from '../import-page.module.css';
import type { ImportJob } from '../job/import-job.ts';
import { settleImport } from '../job/run-import.ts';
import { useInvalidateDirectory } from '../job/use-invalidate-directory.ts';
import { DiscardImport } from './discard-import.tsx';

interface Props {
  readonly job: ImportJob;
  readonly onContinue: (job: ImportJob | null) => void;
  readonly onDiscard: () => void;
}

/** Says how far an import came that has rested for long. It goes on only after another look at the rows that are left. */
export function StoppedStep({ job, onContinue, onDiscard }: Props) {
  const { importTexts } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidateDirectory();
  const exactTime = useExactTime();
  const { fileName, activeAtMs, progress: { done, all } = { done: 0, all: 0 } } = job;
  const settling = useMutation({
    mutationFn: () => settleImport(job.owner, { tenant, by: acting() }),
    onSuccess: (next) => {
      // An earlier visit may have imported rows without an answer.
      invalidate();
      onContinue(next);
    },
  });
  return (
    <Stack gap="md" className={styles.stopped ?? ''}>
      <div>
        <Text fw={600} role="status" style={{ overflowWrap: 'anywhere' }}>
          {importTexts.stopped(fileName, done, all)}
        </Text>
        {activeAtMs !== undefined && (
          <Text size="sm" c="dimmed">
            {importTexts.lastProgress(exactTime(new Date(activeAtMs)))} · <RelativeTime at={activeAtMs} />
          </Text>
        )}
      </div>
      <Progress value={all === 0 ? 0 : (done / all) * 100} aria-label={importTexts.titles[job.kind]} />
      <Text c="dimmed">{importTexts.stoppedHelp}</Text>
      {settling.isError && <FailureNotice error={settling.error} />}
      <Group gap="xs">
        <Button loading={settling.isPending} onClick={() => settling.mutate()}>
          {importTexts.resume}
        </Button>
        <DiscardImport progress={job.progress} disabled={settling.isPending} onDiscard={onDiscard} />
      </Group>
    </Stack>
  );
}

import type { ResolvedNames } from '@fieldroster/tables';
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { acting } from '../../../api/acting.ts';
import { serverNow } from '../../../api/server-clock.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { FailureNotice } from '../../../parts/notices/failure-notice.tsx';
import { ActionBar } from '../../../parts/page/action-bar.tsx';
import { useTenant } from '../../../parts/use-tenant.ts';
import { prepareWork } from '../batches/prepare-work.ts';
import { findNames } from '../file/find-names.ts';
import { readNames } from '../job/import-database.ts';
import type { ImportJob, RowOutcome } from '../job/import-job.ts';
import { countOutcomes } from '../outcomes/count-outcomes.ts';
import { OutcomeTable } from '../outcomes/outcome-table.tsx';
import { CaseVariantsNotice } from './case-variants-notice.tsx';
import { DiscardImport } from './discard-import.tsx';
import { HiddenNotice } from './hidden-notice.tsx';
import { sayPlan } from './say-plan.ts';

interface Props {
  readonly job: ImportJob;
  readonly onChange: (job: ImportJob, names?: ResolvedNames) => void;
  readonly onDiscard: () => void;
}

/** Shows what would change, and the rows that are wrong, before anything happens. */
export function PreviewStep({ job, onChange, onDiscard }: Props) {
  const { importTexts } = useTexts();
  const { query, done, all } = usePreview(job);
  const { data, isError, error, refetch } = query;
  return (
    <Stack gap="md">
      <Text fw={600}>{job.fileName}</Text>
      {job.isUnsure && (
        <Alert color="yellow" variant="light" role="alert" icon={<IconAlertTriangle size="1.125rem" />}>
          {importTexts.unsure}
        </Alert>
      )}
      <HiddenNotice hidden={data?.hidden} />
      {isError && <FailureNotice error={error} onRetry={() => refetch()} />}
      {query.isFetching && (
        <div>
          <Text size="sm" mb={4} role="status">
            {all === undefined ? importTexts.reading : importTexts.previewing(done, all)}
          </Text>
          <Progress value={all ? (done / all) * 100 : 0} aria-label={importTexts.steps.preview} />
        </div>
      )}
      {data !== undefined && !query.isFetching && (
        <>
          <CaseVariantsNotice rows={data.rows} />
          <OutcomeTable kind={job.kind} rows={data.rows} isPreview />
        </>
      )}
      <Bar
        kind={job.kind}
        hasBegun={job.begunAtMs !== undefined}
        progress={job.progress}
        rows={query.isFetching ? undefined : data?.rows}
        // The columns of an import that has begun say where its batches end.
        onBack={job.begunAtMs === undefined ? () => onChange({ ...job, step: 'columns' }) : undefined}
        onDiscard={onDiscard}
        onApply={() => onChange(begin(job, data?.rows.length ?? 0), data?.names)}
      />
    </Stack>
  );
}

/** Begins an import, or continues it with the rows that are left. */
function begin({ isUnsure: _, ...job }: ImportJob, rows: number): ImportJob {
  const { begunAtMs = serverNow(), progress: { done } = { done: 0 } } = job;
  const progress = { done, all: done + rows };
  return { ...job, step: 'running', begunAtMs, activeAtMs: serverNow(), progress };
}

interface PreviewProgress {
  readonly done: number;
  /** `undefined` while the file and the directory's entries are read. */
  readonly all: number | undefined;
}

const beforeRows: PreviewProgress = { done: 0, all: undefined };

/** Finds what the names in the file stand for, and asks the server for each batch what it would do. */
function usePreview(job: ImportJob) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [progress, setProgress] = useState(beforeRows);
  const query = useQuery({
    queryKey: [
      'import-preview',
      job.owner,
      job.kind,
      job.id,
      job.file.size,
      job.encoding,
      job.fields,
      job.batchesDone,
    ],
    // The content of the directory may change at any time.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      setProgress(beforeRows);
      const importer = { tenant, by: acting() };
      const { hidden, names, ...work } = await prepareWork(job, importer, (table) =>
        // Names keep their meaning, which also decides where the batches end.
        job.begunAtMs === undefined ? findNames(client, importer, table, job.fields) : readNames(job.owner),
      );
      const batches = work.batches.slice(job.batchesDone);
      const all = batches.reduce((sum, { rows }) => sum + rows, 0);
      const outcomes: RowOutcome[] = [];
      setProgress({ done: 0, all });
      for (const batch of batches) {
        for (const outcome of await batch.preview(signal)) outcomes.push(outcome);
        setProgress({ done: outcomes.length, all });
      }
      return { rows: outcomes.sort((a, b) => a.line - b.line), names, hidden };
    },
  });
  return { query, ...progress };
}

interface BarProps {
  readonly kind: ImportJob['kind'];
  /** Whether some of its rows may have been imported already. */
  readonly hasBegun: boolean;
  readonly progress: ImportJob['progress'];
  /** `undefined` while they are compared. */
  readonly rows: readonly RowOutcome[] | undefined;
  readonly onBack: (() => void) | undefined;
  readonly onDiscard: () => void;
  readonly onApply: () => void;
}

function Bar({ kind, hasBegun, progress, rows, onBack, onDiscard, onApply }: BarProps) {
  const { general, importTexts } = useTexts();
  const counts = countOutcomes(rows ?? []);
  const toApply = counts.created + counts.updated;
  // The result of an import that has begun comes at its end.
  const canFinish = hasBegun && rows !== undefined;
  const idle = canFinish ? importTexts.finish : importTexts.titles[kind];
  return (
    <ActionBar>
      <Text size="sm" c="dimmed" role="status">
        {rows === undefined ? '' : sayPlan(importTexts, rows).join(general.sentenceGap)}
      </Text>
      <Group gap="xs">
        {hasBegun ? (
          <DiscardImport progress={progress} onDiscard={onDiscard} />
        ) : (
          <Button variant="default" onClick={onDiscard}>
            {importTexts.discard}
          </Button>
        )}
        {onBack !== undefined && (
          <Button variant="default" onClick={onBack}>
            {importTexts.back}
          </Button>
        )}
        <Button disabled={toApply === 0 && !canFinish} onClick={onApply}>
          {toApply > 0 ? importTexts.apply[kind](toApply) : idle}
        </Button>
      </Group>
    </ActionBar>
  );
}

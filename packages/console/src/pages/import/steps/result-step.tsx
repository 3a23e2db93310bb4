import { writeCsv } from '@fieldroster/tables';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Texts, useTexts } from '../../../i18n/texts.ts';
import { LoadState } from '../../../parts/notices/load-state.tsx';
import { saveFile } from '../../../parts/save-file.ts';
import { useTenant } from '../../../parts/use-tenant.ts';
import { readOutcomes } from '../job/import-database.ts';
import type { ImportJob, RowOutcome } from '../job/import-job.ts';
import { countOutcomes } from '../outcomes/count-outcomes.ts';
import { OutcomeTable } from '../outcomes/outcome-table.tsx';
import { type SayRowProblems, useSayRowProblems } from '../outcomes/use-say-row-problems.ts';

interface Props {
  readonly job: ImportJob;
  readonly onAgain: () => void;
}

/** The outcome of each row, in a table and as a file. */
export function ResultStep({ job, onAgain }: Props) {
  const { importTexts } = useTexts();
  const sayProblems = useSayRowProblems(job.kind);
  const query = useQuery({
    queryKey: ['import-outcomes', job.owner, job.id, job.batchesDone],
    gcTime: 0,
    structuralSharing: false,
    queryFn: async () => (await readOutcomes(job.owner)).sort((a, b) => a.line - b.line),
  });
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <div>
          <Text fw={600} role="status">
            {query.isPending ? '' : sayResult(importTexts, job.kind, query.data ?? [])}
          </Text>
          <Text c="dimmed" size="sm">
            {job.fileName}
          </Text>
        </div>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconDownload size="0.875rem" />}
            disabled={query.data === undefined}
            onClick={() =>
              saveFile(
                `${job.fileName}.result.csv`,
                [toCsv(job.kind, query.data ?? [], sayProblems)],
                'text/csv',
              )
            }
          >
            {importTexts.download}
          </Button>
          <Button variant="default" onClick={onAgain}>
            {importTexts.again}
          </Button>
          <ShowLink job={job} rows={query.data ?? []} />
        </Group>
      </Group>
      <LoadState query={query} height={240} />
      {query.data !== undefined && <OutcomeTable kind={job.kind} rows={query.data} />}
    </Stack>
  );
}

/** Says that the import is complete, or how many rows are missing. */
function sayResult(
  { done, someFailed, imported }: Texts['importTexts'],
  kind: ImportJob['kind'],
  rows: readonly RowOutcome[],
): string {
  const { created, updated, applied, failed } = countOutcomes(rows);
  return failed === 0 ? done : someFailed(imported[kind](created + updated + applied), failed);
}

/** Leads to the users that changed since the import began. The directory does not record when other entries changed. */
function ShowLink({ job, rows }: Pick<Props, 'job'> & { readonly rows: readonly RowOutcome[] }) {
  const { importTexts } = useTexts();
  const tenant = useTenant();
  const { kind, begunAtMs } = job;
  const { created, updated, applied } = countOutcomes(rows);
  const showsChanged = kind === 'users' && begunAtMs !== undefined && created + updated + applied > 0;
  return (
    <Button
      component={Link}
      to={showsChanged ? `/t/${tenant}/users?changed=${begunAtMs}` : `/t/${tenant}/${kind}`}
    >
      {showsChanged ? importTexts.showChangedUsers : importTexts.showAll[kind]}
    </Button>
  );
}

/**
 * Writes the same columns as the command's file of results, with messages in the reader's language. A byte order mark
 * tells spreadsheet programs that the file is UTF-8.
 */
function toCsv(kind: ImportJob['kind'], rows: readonly RowOutcome[], sayProblems: SayRowProblems): string {
  const lines = rows.map((row) => [String(row.line), row.key, row.outcome, sayProblems(row).join(' · ')]);
  return `\ufeff${writeCsv([['line', keyNames[kind], 'outcome', 'message'], ...lines])}`;
}

const keyNames = { users: 'username', stores: 'code', orgs: 'id', roles: 'id' } as const;

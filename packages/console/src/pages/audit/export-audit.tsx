import { stringifyExactJson } from '@fieldroster/client';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditEvent } from '../../api/audit-event.ts';
import { useTexts } from '../../i18n/texts.ts';
import { csvLine } from '../../parts/csv.ts';
import { notifyDone, notifyFailure } from '../../parts/notices/notify.ts';
import { saveFile } from '../../parts/save-file.ts';
import { useLeavingSignal } from '../../parts/use-leaving-signal.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import { readAuditPage } from './audit-query.ts';
import type { AuditSearch } from './audit-search.ts';

interface Props {
  readonly search: AuditSearch;
}

const pageRows = 500;

/** Bounds the memory of the tab: most rows take about 500 bytes, but some take megabytes. */
const rowsMax = 100_000;
const charactersMax = 200_000_000;

const heading = [
  'id',
  'at',
  'actor_kind',
  'actor_id',
  'actor_name',
  'operation',
  'user_id',
  'username',
  'request_id',
  'changes',
];

/** Saves the changes to which the filters apply as a CSV file, newest first. */
export function ExportAudit({ search }: Props) {
  const { audit } = useTexts();
  const number = useNumberFormat();
  const [rows, setRows] = useState(0);
  const mutation = useExport(search, setRows);
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size="0.875rem" />}
      disabled={mutation.isPending}
      onClick={() => mutation.mutate()}
    >
      {mutation.isPending ? audit.exporting(number(rows)) : audit.export}
    </Button>
  );
}

function useExport(search: AuditSearch, onCount: (count: number) => void) {
  const { audit } = useTexts();
  const tenant = useTenant();
  const number = useNumberFormat();
  const leavingSignal = useLeavingSignal();
  return useMutation({
    mutationFn: async () => {
      const signal = leavingSignal();
      const lines = [csvLine(heading)];
      let cursor = '';
      let characters = 0;
      do {
        const page = await readAuditPage(tenant, search, { cursor, limit: pageRows, signal });
        for (const event of page.events) {
          const line = toLine(event);
          lines.push(line);
          characters += line.length;
        }
        onCount(lines.length - 1);
        cursor = page.next_cursor;
      } while (cursor !== '' && lines.length <= rowsMax && characters < charactersMax);
      // The byte order mark tells spreadsheet programs that the file is UTF-8.
      saveFile('audit.csv', ['\uFEFF', ...lines], 'text/csv;charset=utf-8');
      return { count: lines.length - 1, isCut: cursor !== '' };
    },
    onSuccess: ({ count, isCut }) =>
      notifyDone(isCut ? audit.exportCut(number(count)) : audit.exported(number(count))),
    onError(error) {
      // Leaving the page ends the export, which is no failure.
      if (!leavingSignal().aborted) notifyFailure(error);
    },
  });
}

function toLine({ id, at, actor, operation, user_id, user, request_id, changes }: AuditEvent): string {
  return csvLine([
    String(id),
    new Date(Number(at)).toISOString(),
    actor.kind,
    actor.id,
    actor.name,
    operation,
    String(user_id) === '0' ? '' : String(user_id),
    user?.username ?? '',
    request_id,
    stringifyExactJson(changes),
  ]);
}

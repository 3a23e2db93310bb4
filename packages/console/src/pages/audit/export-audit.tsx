import { limits } from '@fieldroster/contract/limits';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { notifyDone, notifyFailure } from '../../parts/notices/notify.ts';
import { saveFile } from '../../parts/save-file.ts';
import { useLeavingSignal } from '../../parts/use-leaving-signal.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { beginAuditCsv } from './audit-csv.ts';
import { readAuditPage } from './audit-query.ts';
import type { AuditSearch } from './audit-search.ts';

interface Props {
  readonly search: AuditSearch;
}

/** Bounds the memory of the tab: most rows take about 500 bytes, but some take megabytes. */
const rowsMax = 100_000;
const charactersMax = 200_000_000;

/** Saves the changes to which the filters apply as a CSV file, newest first. */
export function ExportAudit({ search }: Props) {
  const { audit } = useTexts();
  const [rows, setRows] = useState(0);
  const mutation = useExport(search, setRows);
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size="0.875rem" />}
      disabled={mutation.isPending}
      onClick={() => mutation.mutate()}
    >
      {mutation.isPending ? audit.exporting(rows) : audit.export}
    </Button>
  );
}

function useExport(search: AuditSearch, onCount: (count: number) => void) {
  const { audit } = useTexts();
  const tenant = useTenant();
  const leavingSignal = useLeavingSignal();
  return useMutation({
    mutationFn: async () => {
      const signal = leavingSignal();
      const file = await beginAuditCsv();
      let cursor = '';
      let count = 0;
      let characters = 0;
      do {
        const page = await readAuditPage(tenant, search, { cursor, limit: limits.pageEntriesMax, signal });
        characters += file.add(page.events);
        count += page.events.length;
        onCount(count);
        cursor = page.next_cursor;
      } while (cursor !== '' && count < rowsMax && characters < charactersMax);
      saveFile('audit.csv', file.parts, 'text/csv;charset=utf-8');
      return { count, isCut: cursor !== '' };
    },
    onSuccess: ({ count, isCut }) => notifyDone(isCut ? audit.exportCut(count) : audit.exported(count)),
    onError(error) {
      // Leaving the page ends the export, which is no failure.
      if (!leavingSignal().aborted) notifyFailure(error);
    },
  });
}

import type { ResolvedNames } from '@fieldroster/tables';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { acting } from '../../../api/acting.ts';
import { newChangeId } from '../../../api/change-id.ts';
import { useSession } from '../../../api/session.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { notifyWarning } from '../../../parts/notices/notify.ts';
import { useTenant } from '../../../parts/use-tenant.ts';
import { guessFields } from '../file/column-fields.ts';
import { guessEncoding, readTable, type Table } from '../file/read-table.ts';
import { discardJob, readJob, saveNewJob, saveProgress } from './import-database.ts';
import type { ImportJob, ImportKind } from './import-job.ts';
import { useInvalidateDirectory } from './use-invalidate-directory.ts';

/** The import of this operator and tenant, with the ways to change it. */
export function useImport() {
  const { operator } = useSession();
  const owner = `${operator.id} ${useTenant()}`;
  const client = useQueryClient();
  const invalidate = useInvalidateDirectory();
  const { importTexts } = useTexts();
  const job = useQuery({
    queryKey: ['import', owner],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await readJob(owner)) ?? null,
  });
  const show = useCallback(
    (next: ImportJob | null) => client.setQueryData(['import', owner], next),
    [client, owner],
  );
  const change = useCallback(
    async (before: ImportJob, next: ImportJob, names?: ResolvedNames) => {
      // Another tab may have got on with it.
      const isSaved = await saveProgress(before, next, { names });
      show(isSaved ? next : ((await readJob(owner)) ?? null));
    },
    [owner, show],
  );
  const { mutate: begin, error: beginError } = useMutation({
    mutationFn: async ({ kind, file }: { readonly kind: ImportKind; readonly file: File }) => {
      const by = acting();
      const encoding = await guessEncoding(file);
      // Signing out has removed every import meanwhile.
      by.signal.throwIfAborted();
      const { name } = file;
      const start = { id: newChangeId(), step: 'columns', fields: {}, batchesDone: 0 } as const;
      const job: ImportJob = { ...start, owner, kind, file, fileName: name, encoding };
      for (;;) {
        if (await saveNewJob(job)) return show(job);
        // Another tab has begun one since this page was opened, and may discard it at this moment.
        const other = await readJob(owner);
        if (other === undefined) continue;
        show(other);
        return notifyWarning(importTexts.otherShown(name));
      }
    },
  });
  const { mutate: discard, error: discardError } = useMutation({
    mutationFn: discardJob,
    onSuccess: (kept) => {
      invalidate();
      show(kept ?? null);
    },
  });
  return { job, show, change, begin, discard, failure: beginError ?? discardError };
}

/** Reads the file of an import, and guesses what its columns are. */
export function useTable({ id, owner, kind, file, fileName, encoding }: ImportJob) {
  return useQuery({
    queryKey: ['import-table', id, owner, kind, fileName, file.size, encoding],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // The rows would be compared one by one.
    structuralSharing: false,
    queryFn: async (): Promise<Table & { readonly guessed: ImportJob['fields'] }> => {
      const table = await readTable(file, fileName, encoding);
      return { ...table, guessed: guessFields(kind, table.names) };
    },
  });
}

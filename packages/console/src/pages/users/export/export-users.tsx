import { Modal, Progress, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { notifyDone } from '../../../parts/notices/notify.ts';
import { DialogActions } from '../../../parts/page/dialog-actions.tsx';
import { saveFile } from '../../../parts/save-file.ts';
import { useLeavingSignal } from '../../../parts/use-leaving-signal.ts';
import { useTenant } from '../../../parts/use-tenant.ts';
import type { UserSearch } from '../user-search.ts';
import { type ExportFormat, exportFormats } from './export-formats.ts';
import { countExportedUsers, readExportedUsers } from './read-exported-users.ts';

interface Props {
  readonly search: UserSearch;
  readonly onClose: () => void;
}

/** Writes every user that the filters leave to a file. */
export function ExportUsers({ search, onClose }: Props) {
  const { users } = useTexts();
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [count, setCount] = useState(0);
  const mutation = useExport(search, setCount, onClose);
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Modal opened onClose={onClose} title={users.export}>
      <Stack gap="md">
        <Text>{isFiltered ? users.exportFiltered : users.exportAll}</Text>
        <Radio.Group
          aria-label={users.exportFormat}
          value={format}
          onChange={(value) => setFormat(value as ExportFormat)}
        >
          <Stack gap="xs">
            <Radio data-autofocus value="csv" label={users.exportCsv} disabled={mutation.isPending} />
            <Radio value="xlsx" label={users.exportXlsx} disabled={mutation.isPending} />
          </Stack>
        </Radio.Group>
        {mutation.isPending && (
          <div>
            <Text size="sm" role="status" mb={4}>
              {users.exporting(count)}
            </Text>
            <Progress.Root role="progressbar" aria-label={users.export}>
              <Progress.Section value={100} animated withAria={false} />
            </Progress.Root>
          </div>
        )}
        <DialogActions
          action={users.exportAction}
          mutation={mutation}
          onCancel={onClose}
          onAct={() => mutation.mutate(format)}
        />
      </Stack>
    </Modal>
  );
}

function useExport(search: UserSearch, onCount: (count: number) => void, onDone: () => void) {
  const { users } = useTexts();
  const tenant = useTenant();
  const leavingSignal = useLeavingSignal();
  return useMutation({
    mutationFn: async (format: ExportFormat) => {
      const signal = leavingSignal();
      const file = await exportFormats[format]();
      const requireRoom = (count: number) => {
        if (count > file.usersMax) throw new Error(users.tooManyForFile(file.usersMax));
      };
      if (Number.isFinite(file.usersMax)) requireRoom(await countExportedUsers(tenant, search, signal));
      let count = 0;
      for await (const page of readExportedUsers(tenant, search, signal)) {
        // The server counts only some thousands of those that filters leave.
        requireRoom(count + page.length);
        file.add(page);
        count += page.length;
        onCount(count);
      }
      saveFile(`users.${format}`, file.end(), file.type);
      return count;
    },
    onSuccess(count) {
      notifyDone(users.exported(count));
      onDone();
    },
  });
}

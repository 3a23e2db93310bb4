import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import type { Progress } from '../job/import-job.ts';

interface Props {
  /** How far the import has come; absent while that is unknown. */
  readonly progress: Progress | undefined;
  readonly disabled?: boolean;
  readonly onDiscard: () => void;
}

/** Discards an import that has begun, after asking: the rows that are left are then not imported. */
export function DiscardImport({ progress, disabled = false, onDiscard }: Props) {
  const { importTexts } = useTexts();
  const { discarding } = importTexts;
  const [isAsking, setAsking] = useState(false);
  const { done, all } = progress ?? { done: 0, all: 0 };
  return (
    <>
      <Button variant="default" disabled={disabled} onClick={() => setAsking(true)}>
        {importTexts.discardImport}
      </Button>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={discarding.title}>
        <Stack gap="sm">
          <Text size="sm">{discarding.help(all - done)}</Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onDiscard}>
              {importTexts.discardImport}
            </Button>
            <Button data-autofocus onClick={() => setAsking(false)}>
              {discarding.keep}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

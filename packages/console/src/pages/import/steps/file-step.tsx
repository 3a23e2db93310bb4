import { Button, FileButton, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { saveFile } from '../../../parts/save-file.ts';
import { templateCsv } from '../file/template.ts';
import styles from '../import-page.module.css';
import { type ImportKind, importKinds } from '../job/import-job.ts';

interface Props {
  readonly kind: ImportKind;
  readonly onKind: (kind: ImportKind) => void;
  readonly onChoose: (file: File) => void;
}

/** A touch screen, onto which nothing can be dragged from another window. */
const touched = '(hover: none) and (pointer: coarse)';

/** Asks what the file holds, and takes it by drag and drop or by a dialog. */
export function FileStep({ kind, onKind, onChoose }: Props) {
  const { importTexts } = useTexts();
  const isTouched = useMediaQuery(touched, undefined, { getInitialValueInEffect: false });
  const [isOver, setIsOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onChoose(file);
  };
  return (
    <Stack gap="md">
      <SegmentedControl
        className={styles.counts ?? ''}
        aria-label={importTexts.holds}
        value={kind}
        onChange={(value) => onKind(importKinds.find((one) => one === value) ?? kind)}
        data={importKinds.map((value) => ({ value, label: importTexts.kinds[value] }))}
      />
      <section
        className={styles.drop}
        aria-label={importTexts.steps.file}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
      >
        <Text fw={600} size="lg">
          {isTouched ? importTexts.chooseKind : importTexts.drop}
        </Text>
        <Text c="dimmed" maw={480}>
          {importTexts.dropHelp[kind]}
        </Text>
        <Group gap="xs" justify="center" mt="xs">
          <FileButton accept=".csv,.tsv,.txt,.xlsx" onChange={(file) => file !== null && onChoose(file)}>
            {(props) => (
              <Button {...props} leftSection={<IconUpload size="0.875rem" />}>
                {importTexts.choose}
              </Button>
            )}
          </FileButton>
          <Button
            variant="default"
            leftSection={<IconDownload size="0.875rem" />}
            onClick={() =>
              saveFile(`${kind}-template.csv`, [templateCsv(kind, importTexts.fields[kind])], 'text/csv')
            }
          >
            {importTexts.template}
          </Button>
        </Group>
      </section>
    </Stack>
  );
}

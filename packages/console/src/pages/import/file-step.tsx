import { Button, FileButton, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import styles from './import-page.module.css';

interface Props {
  readonly onChoose: (file: File) => void;
}

/** Takes a file by drag and drop or by a dialog. */
export function FileStep({ onChoose }: Props) {
  const { importTexts } = useTexts();
  const [isOver, setIsOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onChoose(file);
  };
  return (
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
        {importTexts.drop}
      </Text>
      <Text c="dimmed" maw={480}>
        {importTexts.dropHelp}
      </Text>
      <FileButton accept=".csv,.tsv,.txt,.xlsx" onChange={(file) => file !== null && onChoose(file)}>
        {(props) => (
          <Button {...props} mt="xs" leftSection={<IconUpload size={14} />}>
            {importTexts.choose}
          </Button>
        )}
      </FileButton>
    </section>
  );
}

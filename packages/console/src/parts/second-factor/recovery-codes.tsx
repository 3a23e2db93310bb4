import { Button, CopyButton, Group, Stack } from '@mantine/core';
import { useTexts } from '../../i18n/texts.ts';
import { ShownOnce } from '../notices/shown-once.tsx';
import styles from './second-factor.module.css';

interface Props {
  readonly codes: readonly string[];
  readonly onStored: () => void;
}

/** The recovery codes, shown this once. */
export function RecoveryCodes({ codes, onStored }: Props) {
  const { general, settings } = useTexts();
  return (
    <Stack gap="md">
      <ShownOnce title={settings.factor.once} help={settings.factor.onceHelp} />
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="flex-end">
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? general.copied : general.copy}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onStored}>{settings.factor.stored}</Button>
      </Group>
    </Stack>
  );
}

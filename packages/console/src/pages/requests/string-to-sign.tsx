import { Button, CopyButton, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import styles from './string-to-sign.module.css';

interface Props {
  readonly title: string;
  readonly lines: readonly { readonly name: string; readonly text: string }[];
}

/** A string to sign, one row for each of its lines. */
export function StringToSign({ title, lines }: Props) {
  const { requests, general } = useTexts();
  const names: Readonly<Record<string, string>> = requests.lines;
  // A resource may span several lines, of which only the first is named.
  const rows = lines.map(({ name, text }, index) => ({
    key: `${index}`,
    name: name === lines[index - 1]?.name ? '' : (names[name] ?? name),
    text,
  }));
  return (
    <section>
      <Group justify="space-between" mb={4}>
        <Text fw={600} component="h3">
          {title}
        </Text>
        <CopyButton value={lines.map(({ text }) => text).join('\n')}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              aria-label={requests.copyString}
              leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              onClick={copy}
            >
              {copied ? general.copied : general.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
      <table className={styles.lines}>
        <tbody>
          {rows.map(({ key, name, text }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

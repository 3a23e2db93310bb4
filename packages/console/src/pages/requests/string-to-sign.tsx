import { withheldDigest } from '@fieldroster/contract/problems';
import { Group, Text } from '@mantine/core';
import { useTexts } from '../../i18n/texts.ts';
import { CopyTextButton } from '../../parts/fields/copy-text-button.tsx';
import styles from './string-to-sign.module.css';

interface Props {
  readonly title: string;
  readonly lines: readonly { readonly name: string; readonly text: string }[];
}

/** A string to sign, one row for each of its lines. */
export function StringToSign({ title, lines }: Props) {
  const { requests } = useTexts();
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
        <CopyTextButton label={requests.copyString} text={lines.map((line) => line.text).join('\n')} />
      </Group>
      <table className={styles.lines}>
        <tbody>
          {rows.map(({ key, name, text }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>{text === withheldDigest ? requests.withheldDigest : text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

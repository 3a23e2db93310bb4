import { Text } from '@mantine/core';
import styles from './change-list.module.css';

interface Props {
  readonly changes: Readonly<Record<string, unknown>>;
}

/** The changes of an audit row: each field with its value before and after. */
export function ChangeList({ changes }: Props) {
  const entries = Object.entries(changes);
  if (entries.length === 0) return null;
  return (
    <dl className={styles.list}>
      {entries.map(([field, value]) => (
        <div key={field} className={styles.entry}>
          <dt>{field}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { readonly value: unknown }) {
  if (isObject(value) && 'to' in value) {
    return (
      <>
        <Text span size="sm" c="dimmed" td="line-through">
          {show(value.from)}
        </Text>{' '}
        → {show(value.to)}
      </>
    );
  }
  if (isObject(value) && ('added' in value || 'removed' in value)) {
    const { added = [], removed = [] } = value as { added?: unknown[]; removed?: unknown[] };
    return (
      <>
        {[...added.map((code) => `+ ${show(code)}`), ...removed.map((code) => `− ${show(code)}`)].join(', ')}
      </>
    );
  }
  return <>{show(value)}</>;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  if (value === undefined || value === null || value === '') return '∅';
  if (Array.isArray(value)) return value.map(show).join(', ');
  if (isObject(value))
    return Object.entries(value)
      .map(([name, inner]) => `${name}: ${show(inner)}`)
      .join(', ');
  return String(value);
}

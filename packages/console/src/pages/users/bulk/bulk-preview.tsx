import { Box, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import styles from './bulk.module.css';
import type { ChangedUser } from './bulk-action.ts';

interface Props {
  readonly users: readonly ChangedUser[];
}

/** The changes of each user, with the values before and after; users that stay as they are come last. */
export function BulkPreview({ users }: Props) {
  const { bulk, general } = useTexts();
  const word = (field: string, value: string) =>
    field === 'status' && (value === 'active' || value === 'disabled')
      ? general[value]
      : value || general.none;
  const described = users.map((user) => ({
    user,
    changes: [
      ...user.changes.map(({ field, from, to }) => `${word(field, from)} → ${word(field, to)}`),
      ...user.stores_added.map((code) => `+ ${code}`),
      ...user.stores_removed.map((code) => `− ${code}`),
    ],
  }));
  const ordered = described.toSorted(
    (a, b) => Number(a.changes.length === 0) - Number(b.changes.length === 0),
  );
  return (
    // A scrolling area must be reachable by keyboard.
    <Box component="ul" className={styles.list ?? ''} aria-label={bulk.preview} tabIndex={0}>
      {ordered.map(({ user, changes }) => (
        <li key={String(user.id)} className={styles.row}>
          <div className={styles.person}>
            <Text size="sm">{user.real_name || user.username}</Text>
            {user.real_name !== '' && (
              <Text size="xs" c="dimmed">
                {user.username}
              </Text>
            )}
          </div>
          <Text size="sm" {...(changes.length === 0 && { c: 'dimmed' })}>
            {changes.join(', ') || bulk.unchanged}
          </Text>
        </li>
      ))}
    </Box>
  );
}

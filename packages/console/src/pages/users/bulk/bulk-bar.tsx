import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { FoundUser } from '../../../api/user-search-query.ts';
import { useTexts } from '../../../i18n/texts.ts';
import styles from './bulk.module.css';
import { type BulkAction, bulkActions } from './bulk-action.ts';
import { BulkDialog } from './bulk-dialog.tsx';

/** As many as the server changes in one step. */
const usersMax = 1000;

interface Props {
  readonly users: readonly FoundUser[];
  readonly onClear: () => void;
}

/** What can be done with the selected users. */
export function BulkBar({ users, onClear }: Props) {
  const { bulk } = useTexts();
  const [action, setAction] = useState<BulkAction>();
  const isTooMany = users.length > usersMax;
  return (
    <section className={styles.bar} aria-label={bulk.label}>
      <Text size="sm" fw={600} role="status">
        {isTooMany ? bulk.tooMany(users.length, usersMax) : bulk.selected(users.length)}
      </Text>
      <Group gap="xs">
        {bulkActions.map((one) => (
          <Button key={one} variant="default" disabled={isTooMany} onClick={() => setAction(one)}>
            {bulk.actions[one]}
          </Button>
        ))}
        <Button variant="subtle" onClick={onClear}>
          {bulk.clear}
        </Button>
      </Group>
      {action !== undefined && (
        <BulkDialog action={action} users={users} onClose={() => setAction(undefined)} onDone={onClear} />
      )}
    </section>
  );
}

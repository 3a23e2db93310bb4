import { consoleLimits } from '@fieldroster/contract/console-limits';
import { Button, Group, Menu, Text } from '@mantine/core';
import { IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { FoundUser } from '../../../api/user-search-query.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useHeightProperty } from '../../../parts/page/use-height-property.ts';
import styles from './bulk.module.css';
import { type BulkAction, bulkActions } from './bulk-action.ts';
import { BulkDialog } from './bulk-dialog.tsx';

/** As many as the server changes in one step. */
const { changedUsersMax: usersMax } = consoleLimits;

interface Props {
  readonly users: readonly FoundUser[];
  readonly onClear: () => void;
}

/** The actions on the selected users. */
export function BulkBar({ users, onClear }: Props) {
  const { bulk } = useTexts();
  const [action, setAction] = useState<BulkAction>();
  const isTooMany = users.length > usersMax;
  const [bar, setBar] = useState<HTMLElement | null>(null);
  useHeightProperty(bar, '--fr-actions');
  return (
    <section ref={setBar} className={styles.bar} aria-label={bulk.label}>
      <Text size="sm" fw={600} role="status">
        {isTooMany ? bulk.tooMany(users.length, usersMax) : bulk.selected(users.length)}
      </Text>
      <Group gap="xs" wrap="nowrap">
        {bulkActions.map((one) => (
          <Button
            key={one}
            variant="default"
            disabled={isTooMany}
            onClick={() => setAction(one)}
            visibleFrom="lg"
          >
            {bulk.actions[one]}
          </Button>
        ))}
        <ActionsMenu disabled={isTooMany} onChoose={setAction} />
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

interface MenuProps {
  readonly disabled: boolean;
  readonly onChoose: (action: BulkAction) => void;
}

/** The actions where they do not fit beside each other. */
function ActionsMenu({ disabled, onChoose }: MenuProps) {
  const { bulk } = useTexts();
  return (
    <Menu position="top-end">
      <Menu.Target>
        <Button
          variant="default"
          disabled={disabled}
          rightSection={<IconChevronUp size="0.875rem" aria-hidden="true" />}
          hiddenFrom="lg"
        >
          {bulk.change}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {bulkActions.map((one) => (
          <Menu.Item key={one} onClick={() => onChoose(one)}>
            {bulk.actions[one]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

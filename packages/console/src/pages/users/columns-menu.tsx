import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { type UserColumnKey, useColumnTitles, userColumnKeys } from './user-columns.tsx';

interface Props {
  readonly shown: readonly UserColumnKey[];
  readonly onToggle: (key: UserColumnKey) => void;
}

/** Chooses the columns of the list. */
export function ColumnsMenu({ shown, onToggle }: Props) {
  const { users } = useTexts();
  const titles = useColumnTitles();
  return (
    <Menu position="bottom-end" width={200} transitionProps={{ duration: 100 }}>
      <Menu.Target>
        <Tooltip label={users.columns}>
          <ActionIcon visibleFrom="xs" size="var(--fr-control)" variant="default" aria-label={users.columns}>
            <IconColumns3 size="1rem" />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {userColumnKeys.map((key) => (
          <Menu.CheckboxItem key={key} checked={shown.includes(key)} onChange={() => onToggle(key)}>
            {titles[key]}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';

interface Props {
  /** The width from which the page shows its actions beside each other. */
  readonly hiddenFrom: 'xs' | 'sm';
  /** Items of a menu. */
  readonly children: ReactNode;
}

/** The actions of a page that have no room beside its title. */
export function NarrowMenu({ hiddenFrom, children }: Props) {
  const { general } = useTexts();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon hiddenFrom={hiddenFrom} size={30} variant="default" aria-label={general.more}>
          <IconDots size="1rem" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

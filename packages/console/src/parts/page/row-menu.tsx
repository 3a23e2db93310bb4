import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useRowTabIndex } from '../data-table/row-stop.ts';

interface Props {
  /** Name of what the menu is for. */
  readonly of: string;
  readonly items: readonly {
    readonly label: string;
    readonly run: () => void;
    /** Whether this deletes what the row is about. */
    readonly deletes?: boolean;
  }[];
}

/** An action on a row. */
export function RowMenu({ of, items }: Props) {
  const { general } = useTexts();
  const target = useRef<HTMLButtonElement>(null);
  const tabIndex = useRowTabIndex();
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 100 }}>
      <Menu.Target>
        <ActionIcon
          ref={target}
          tabIndex={tabIndex}
          aria-label={`${general.titled(general.more)}${of}`}
          onClick={(event) => event.stopPropagation()}
        >
          <IconDots size="1rem" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {items.map(({ label, run, deletes }) => (
          <Menu.Item
            key={label}
            {...(deletes && { c: 'var(--fr-danger)' })}
            onClick={() => {
              // The item is about to go; a dialog that it opens hands the focus back to what stays.
              target.current?.focus();
              run();
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

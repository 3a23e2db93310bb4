import { getDefaultZIndex } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Notifications, notificationsStore, updateNotificationsState } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { useHeightProperty } from '../parts/page/use-height-property.ts';
import styles from './notification-list.module.css';

/** Shows what was done lately, and what was refused. */
export function NotificationList() {
  const [list, setList] = useState<Element | null>(null);
  useEffect(() => setList(document.querySelector(`.${styles.list}[data-position="bottom-left"]`)), []);
  useHeightProperty(list, '--fr-notifications');
  const room = useRoom();
  useEffect(() => {
    // Mantine's own property sets the limit, but leaves the notices as they are until the next one comes or goes.
    notificationsStore.updateState((state) => ({ ...state, limit: room }));
    updateNotificationsState(notificationsStore, (all) => all);
  }, [room]);
  return (
    <Notifications
      position="bottom-left"
      // In rem, because it follows the reader's text size as the text does.
      notificationMaxHeight="12.5rem"
      // Above dialogs, and below the menus: on a narrow screen, the menu of a row may open where the notices are.
      zIndex={getDefaultZIndex('popover') - 1}
      classNames={{ root: styles.list ?? '' }}
    />
  );
}

/** Returns how many notices fit below the navigation, at least one. */
function useRoom(): number {
  const fits = [
    useMediaQuery('(min-height: 38em)'),
    useMediaQuery('(min-height: 45em)'),
    useMediaQuery('(min-height: 52em)'),
  ];
  return 1 + fits.filter(Boolean).length;
}

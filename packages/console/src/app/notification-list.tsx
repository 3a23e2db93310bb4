import {
  Notifications,
  notificationsStore,
  updateNotificationsState,
  useNotifications,
} from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { useHeightProperty } from '../parts/page/use-height-property.ts';
import styles from './notification-list.module.css';

/** Shows what was done lately, and what was refused. */
export function NotificationList() {
  const [list, setList] = useState<Element | null>(null);
  useEffect(() => setList(document.querySelector(`.${styles.list}[data-position="bottom-left"]`)), []);
  useHeightProperty(list, '--fr-notifications');
  useNewestFirst();
  return <Notifications position="bottom-left" limit={4} classNames={{ root: styles.list ?? '' }} />;
}

/** Lets the oldest notices wait while there is no room for all. Of notices with the same priority, the newest would wait. */
function useNewestFirst(): void {
  const { queue } = useNotifications();
  useEffect(() => {
    if (queue.every(({ priority }) => priority !== undefined)) return;
    updateNotificationsState(notificationsStore, (all) => {
      let latest = Math.max(0, ...all.map(({ priority = 0 }) => priority));
      return all.map((notice) =>
        notice.priority === undefined ? { ...notice, priority: ++latest } : notice,
      );
    });
  }, [queue]);
}

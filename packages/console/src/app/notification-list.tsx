import { Notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { useHeightProperty } from '../parts/page/use-height-property.ts';
import styles from './notification-list.module.css';

/** Shows what was done lately, and what was refused. */
export function NotificationList() {
  const [list, setList] = useState<Element | null>(null);
  useEffect(() => setList(document.querySelector(`.${styles.list}[data-position="bottom-left"]`)), []);
  useHeightProperty(list, '--fr-notifications');
  return <Notifications position="bottom-left" limit={4} classNames={{ root: styles.list ?? '' }} />;
}

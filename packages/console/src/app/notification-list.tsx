import { Notifications } from '@mantine/notifications';
import styles from './notification-list.module.css';

/** What was done lately, and what was refused. */
export function NotificationList() {
  return <Notifications position="bottom-left" limit={4} classNames={{ root: styles.list ?? '' }} />;
}

export { Notifications as NotificationList } from '@mantine/notifications';

import { notifications } from '@mantine/notifications';

/** Says that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'accent', withBorder: true });
}

/** Says why something was not done; the message of a refusal names the rule and what to do. */
export function notifyFailure(error: Error): void {
  notifications.show({ message: error.message, color: 'red', withBorder: true, autoClose: 10_000 });
}

import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { FailureText } from './failure-text.tsx';

/** Says that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'accent', withBorder: true });
}

/** Says what somebody should do soon. */
export function notifyWarning(message: string): void {
  notifications.show({ message, color: 'yellow', withBorder: true, autoClose: 20_000 });
}

/** Says why something was not done, and what to do. */
export function notifyFailure(error: Error): void {
  const message = createElement(FailureText, { error });
  notifications.show({
    message,
    color: 'red',
    withBorder: true,
    autoClose: 10_000,
    position: 'bottom-right',
  });
}

import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { OperatorLeftError } from '../../api/acting.ts';
import { FailureText } from './failure-text.tsx';

/** Says that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'accent', withBorder: true });
}

/** Says what somebody should do soon. */
export function notifyWarning(message: string): void {
  notifications.show({ message, color: 'yellow', withBorder: true, autoClose: 20_000 });
}

/** Says why something was not done, and what to do. What an operator left behind is nobody else's concern. */
export function notifyFailure(error: Error): void {
  if (error instanceof OperatorLeftError) return;
  const message = createElement(FailureText, { error });
  notifications.show({
    message,
    color: 'red',
    withBorder: true,
    autoClose: 10_000,
    position: 'bottom-right',
  });
}

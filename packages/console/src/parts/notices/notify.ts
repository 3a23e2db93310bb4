import { type NotificationData, notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { acting, OperatorLeftError } from '../../api/acting.ts';
import { FailureText } from './failure-text.tsx';

/** The list shows the notices with the highest priority if it has no room for all. */
let newestPriority = 0;

/**
 * Shows a notice above the older ones, until the operator has left the page, at the latest. The oldest wait while there
 * is no room for all. Returns its id.
 */
export function notify(notice: NotificationData): string {
  const { signal } = acting();
  const hide = () => notifications.hide(id);
  newestPriority += 1;
  const id = notifications.show({
    ...notice,
    priority: newestPriority,
    onClose(closed) {
      signal.removeEventListener('abort', hide);
      notice.onClose?.(closed);
    },
  });
  signal.addEventListener('abort', hide);
  return id;
}

/** Says that something was done. */
export function notifyDone(message: string): void {
  notify({ message, color: 'accent', withBorder: true });
}

/** Says what somebody should do soon. */
export function notifyWarning(message: string): void {
  notify({ message, color: 'yellow', withBorder: true, autoClose: 20_000 });
}

/** Says why something was not done, and what to do. What an operator left behind is nobody else's concern. */
export function notifyFailure(error: Error): void {
  if (error instanceof OperatorLeftError) return;
  const message = createElement(FailureText, { error });
  notify({
    message,
    color: 'red',
    withBorder: true,
    autoClose: 10_000,
    position: 'bottom-right',
  });
}

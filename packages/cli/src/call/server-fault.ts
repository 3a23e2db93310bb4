import type { TransportError } from '@fieldroster/client';

/** Says which server a fault is about, and how to name another one if that helps. */
export function serverFault(
  url: string,
  { message, reach }: Pick<TransportError, 'message' | 'reach'>,
): string {
  const mayBeElsewhere = reach === 'unsent' || reach === 'misdirected';
  const hint = mayBeElsewhere ? '; --url or FIELDROSTER_URL sets its URL' : '';
  return `${url}: ${message}${hint}`;
}

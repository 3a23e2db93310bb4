import { randomUUID } from 'node:crypto';

/** Returns a script that goes to an address as a link of the console does. */
export function pushAddress(path: string): string {
  // The router keeps positions by the key, and each of its links has a new one.
  const state = `{ __TSR_key: '${randomUUID()}', __TSR_index: (history.state?.__TSR_index ?? 0) + 1 }`;
  return `history.pushState(${state}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`;
}

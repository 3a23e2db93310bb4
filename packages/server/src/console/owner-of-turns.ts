import { networkOf } from '../http/network-of.ts';

// The names under which people at the console take turns with each other and with applications, for passwords, lists and
// connections. No APPID contains a space.

export function ownerOfOperator(id: bigint): string {
  return `operator ${id}`;
}

/** Visitors of one network share their turns, so that a stranger cannot keep everybody else from signing in. */
export function ownerOfVisitor(address: string | undefined): string {
  return `visitor from ${address === undefined ? 'an unknown address' : networkOf(address)}`;
}

/** People who have opened a link. Its token was checked before. */
export const ownerOfLinks = 'one-time links';

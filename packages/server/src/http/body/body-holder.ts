import type { Holder } from '../../fairness/memory-pool.ts';
import { networkOf } from '../network-of.ts';

/** The part of the memory for bodies that one client may take. */
const partOfClient = 1 / 2;

/**
 * The part of all clients behind a proxy that the settings do not name. Anybody can pretend to be one, by a header, so a
 * quarter stays free for others.
 */
const partOfUnnamedProxy = 3 / 4;

/**
 * Returns who is charged for a body: the client if its address is known, otherwise the other end of the connection.
 *
 * @param peerAddress address of the connection's other end; undefined once it is closed
 */
export function bodyHolder(clientAddress: string | undefined, peerAddress: string | undefined): Holder {
  return clientAddress === undefined
    ? { name: networkOf(peerAddress ?? ''), partMax: partOfUnnamedProxy }
    : { name: networkOf(clientAddress), partMax: partOfClient };
}

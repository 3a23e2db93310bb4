import type { IncomingMessage } from 'node:http';
import type { Holder } from '../../fairness/memory-pool.ts';
import { bodyHolder } from '../body/body-holder.ts';
import { isForwarded } from '../client-address.ts';
import { networkOf } from '../network-of.ts';

/**
 * Returns who is charged for a request that was sent ahead of the answers to earlier ones: the other end of its connection.
 * Behind proxies that the settings name, that is the same for all clients, so it may have all places. Proxies send nothing
 * ahead.
 *
 * @param trustProxy the setting; '' when it is not set
 */
export function queueHolder(request: IncomingMessage, trustProxy: string): Holder {
  const address = request.socket.remoteAddress ?? '';
  if (Number(trustProxy) !== 0) return { name: networkOf(address), partMax: 1 };
  const isUnnamedProxy = trustProxy === '' && isForwarded(request);
  return bodyHolder(isUnnamedProxy ? undefined : address, address);
}

import type { IncomingMessage } from 'node:http';
import type { Holder } from '../../fairness/memory-pool.ts';
import { bodyHolder } from '../body/body-holder.ts';
import { isForwarded } from '../client-address.ts';

/**
 * Returns who is charged for a request that was sent ahead of the answers to earlier ones: the other end of its connection.
 * A proxy sends nothing ahead, so its clients share a part, whether the settings name it or not.
 *
 * @param trustProxy the setting; '0' says that there is no proxy
 */
export function queueHolder(request: IncomingMessage, trustProxy: string): Holder {
  const address = request.socket.remoteAddress ?? '';
  const isProxy = trustProxy !== '0' && isForwarded(request);
  return bodyHolder(isProxy ? undefined : address, address);
}

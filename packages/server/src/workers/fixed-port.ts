import { type HostAndPort, joinHostAndPort, splitHostAndPort } from '../config.ts';
import { freePort } from './free-port.ts';

/** Chooses a port once, because workers would choose another one after all of them have died at once. */
export async function fixedPort({ host, port }: HostAndPort): Promise<number> {
  return port === 0 ? await freePort(host) : port;
}

/** Does the same for a host and a port in one text. */
export async function fixedAddress(text: string): Promise<string> {
  const address = splitHostAndPort(text);
  return joinHostAndPort({ ...address, port: await fixedPort(address) });
}

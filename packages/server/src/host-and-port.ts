export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** @param address such as `127.0.0.1:8081` or `[::1]:8081` */
export function splitHostAndPort(address: string): HostAndPort {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) };
}

/** Joins what `splitHostAndPort` split. */
export function joinHostAndPort({ host, port }: HostAndPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

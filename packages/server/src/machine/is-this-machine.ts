/** Returns whether a host, or the folder of a Unix socket, can be reached by programs of this machine only. */
export function isThisMachine(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Returns the origin of the signed operations, which is another one if the console has a listener of its own.
 *
 * @param port as the session names it; `null` if the console shares the listener
 */
export function operationsOrigin(port: number | null): string {
  const { origin, protocol, hostname } = window.location;
  return port === null ? origin : `${protocol}//${hostname}:${port}`;
}

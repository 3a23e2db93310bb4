/**
 * Returns the address of a one-time link. The token is after the `#`, so that browsers send it to no server and no log
 * has it.
 *
 * @param address address of the console, without a slash at the end
 */
export function consoleLink(address: string, token: string): string {
  return `${address}/link#${token}`;
}

/** Returns a line for each part of the tables that was made again. */
export function describeRepair(repaired: readonly string[]): string {
  return repaired.map((part) => `made ${part} again\n`).join('');
}

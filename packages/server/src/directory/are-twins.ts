/** Whether two names of tenants look the same: they differ only in code points. */
export function areTwins(one: string, other: string): boolean {
  return one !== other && one.normalize() === other.normalize();
}

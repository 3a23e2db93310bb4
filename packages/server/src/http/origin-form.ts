/**
 * Returns the path and query of a request's target. A client behind a proxy may send the whole URL (RFC 9112, section
 * 3.2.2), but it signs the path alone.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const scheme = ['http://', 'https://'].find((start) => target.startsWith(start));
  const path = scheme === undefined ? -1 : target.indexOf('/', scheme.length);
  return path === -1 ? target : target.slice(path);
}

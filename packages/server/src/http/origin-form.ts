const schemes = ['http://', 'https://'];

/**
 * Returns the path and query of a request's target. A client behind a proxy may send the whole URL (RFC 9112, section
 * 3.2.2), but it signs the path alone. What comes before the path may hold a password.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const scheme = schemes.find((start) => target.slice(0, start.length).toLowerCase() === start);
  if (scheme === undefined) return target;
  const path = target.indexOf('/', scheme.length);
  if (path !== -1) return target.slice(path);
  const query = target.indexOf('?');
  return query === -1 ? '/' : `/${target.slice(query)}`;
}

/** Returns the path of a request's target. */
export function pathOf(target: string): string {
  return originForm(target).split('?', 1)[0] ?? '';
}

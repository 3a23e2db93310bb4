const schemes = ['http://', 'https://'];

/**
 * Returns the path and query of a request's target. A client behind a proxy may send the whole URL (RFC 9112, section
 * 3.2.2), but it signs the path alone. The part before the path may contain a password, so it is neither logged nor
 * answered.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const scheme = schemes.find((start) => target.slice(0, start.length).toLowerCase() === start);
  if (scheme === undefined) return target;
  const rest = target.slice(scheme.length);
  const ends = [rest.indexOf('/'), rest.indexOf('?')].filter((index) => index !== -1);
  const path = rest.slice(Math.min(...ends));
  return path.startsWith('/') ? path : `/${path}`;
}

/** Returns the path of a request's target. */
export function pathOf(target: string): string {
  return originForm(target).split('?', 1)[0] ?? '';
}

/**
 * Names the lines of an expected string to sign. Content-MD5 does not always participate, and a resource spans
 * several lines when a value contains a line feed.
 */
export function lineNames(right: string): readonly string[] {
  const lines = right.split('\n');
  const body = /^\d+$/.test(lines[1] ?? '') ? [] : ['Content-MD5'];
  const names = ['Method', ...body, 'Timestamp', 'Nonce'];
  return lines.map((_, index) => names[index] ?? 'CanonicalizedResource');
}

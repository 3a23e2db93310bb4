const mappedPrefix = '::ffff:';
const groupsOfNetwork = 4;
const groups = 8;

/**
 * Returns what counts as one sender: an IPv4 address, or the 64-bit network prefix of an IPv6 address. A client with
 * one IPv6 address has all the others of its network.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  if (address.startsWith(mappedPrefix) && address.includes('.')) return address.slice(mappedPrefix.length);
  const [head = '', tail = ''] = address.split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: Math.max(0, groups - first.length - last.length) }, () => '0');
  return [...first, ...zeros, ...last].slice(0, groupsOfNetwork).join(':');
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

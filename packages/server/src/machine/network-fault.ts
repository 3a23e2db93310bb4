import { isIP } from 'node:net';

const bitsMax: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Why a text is neither an address nor a network such as `10.0.0.0/8`; `max` is the most bits that its address has. */
export type NetworkFault = { readonly in: 'address' } | { readonly in: 'bits'; readonly max: number };

/** Returns `undefined` for an address or a network. An IPv6 address may have a zone, as in `fe80::1%eth0`. */
export function networkFault(text: string): NetworkFault | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const max = bitsMax[isIP(address)];
  if (max === undefined || rest.length > 0) return { in: 'address' };
  if (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= max)) {
    return undefined;
  }
  return { in: 'bits', max };
}

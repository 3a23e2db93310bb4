import { BlockList, isIP } from 'node:net';
import type { Problem } from '@fieldroster/contract/problems';

type AddressProblem = Extract<Problem, { readonly key: 'notAddress' | 'badNetwork' }>;

const bitsMax: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Returns why a text is neither an address nor a network, or `undefined` when it is one. */
export function allowedAddressProblem(entry: string): AddressProblem | undefined {
  const [address = '', bits, ...rest] = entry.split('/');
  const max = bitsMax[isIP(address)];
  if (max === undefined || address.includes('%') || rest.length > 0) {
    return { key: 'notAddress', values: { entry: JSON.stringify(entry) } };
  }
  if (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= max)) {
    return undefined;
  }
  return { key: 'badNetwork', values: { entry: JSON.stringify(entry), max } };
}

/** The addresses that an application may call from. */
export class AllowedAddresses {
  readonly #list = new BlockList();

  /** @param entries addresses and networks without problem; see `allowedAddressProblem` */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', bits] = entry.split('/');
      const family = familyOf(address);
      if (bits === undefined) this.#list.addAddress(address, family);
      else this.#list.addSubnet(address, Number(bits), family);
    }
  }

  /** Returns whether an entry covers the address. An IPv4 address may be written as IPv6, as in `::ffff:192.0.2.7`. */
  includes(address: string): boolean {
    // The zone of a link-local address, after the percent sign, belongs to this machine.
    const [plain = ''] = address.split('%');
    return isIP(plain) !== 0 && this.#list.check(plain, familyOf(plain));
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

import { BlockList, isIP } from 'node:net';
import type { Problem } from '@fieldroster/contract/problems';
import { networkFault } from '../machine/network-fault.ts';

type AddressProblem = Extract<Problem, { readonly key: 'notAddress' | 'badNetwork' }>;

/** Returns why a text is neither an address nor a network, or `undefined` when it is one. */
export function allowedAddressProblem(entry: string): AddressProblem | undefined {
  const fault = networkFault(entry);
  // A zone, after the percent sign, is one of this machine, and the list could not hold it.
  const hasZone = entry.split('/')[0]?.includes('%');
  if (fault?.in === 'address' || hasZone)
    return { key: 'notAddress', values: { entry: JSON.stringify(entry) } };
  return fault && { key: 'badNetwork', values: { entry: JSON.stringify(entry), max: fault.max } };
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

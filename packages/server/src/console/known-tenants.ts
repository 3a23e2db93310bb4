import type { Tenants } from '../database/database.ts';

/** The tenants that exist. None is ever deleted, so only an unknown one is looked up. */
export class KnownTenants {
  readonly #tenants: Pick<Tenants, 'listTenants'>;
  #ids: ReadonlySet<bigint> = new Set();

  constructor(tenants: Pick<Tenants, 'listTenants'>) {
    this.#tenants = tenants;
  }

  async has(id: bigint): Promise<boolean> {
    if (this.#ids.has(id)) return true;
    this.#ids = new Set((await this.#tenants.listTenants()).map((tenant) => tenant.id));
    return this.#ids.has(id);
  }
}

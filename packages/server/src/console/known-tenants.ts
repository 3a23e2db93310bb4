import type { Applications } from '../database/database.ts';

/** The tenants that exist. None is ever deleted, so only an unknown one is looked up. */
export class KnownTenants {
  readonly #applications: Pick<Applications, 'listTenants'>;
  #ids: ReadonlySet<bigint> = new Set();

  constructor(applications: Pick<Applications, 'listTenants'>) {
    this.#applications = applications;
  }

  async has(id: bigint): Promise<boolean> {
    if (this.#ids.has(id)) return true;
    this.#ids = new Set((await this.#applications.listTenants()).map((tenant) => tenant.id));
    return this.#ids.has(id);
  }
}

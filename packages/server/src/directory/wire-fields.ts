/** The fields of a role, organization or store, each with its name on the wire. */
type WireNames<Fields> = { readonly [Field in keyof Fields]-?: string };

type Values = Readonly<Record<string, unknown>>;

/** What the audit row says of fields: old and new values under their names on the wire. */
type FieldChanges = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>;

/** Reads, compares and describes the fields that callers may set. */
export class WireFields<Fields extends object> {
  readonly #names: readonly (readonly [field: string, name: string])[];

  constructor(names: WireNames<Fields>) {
    this.#names = Object.entries(names);
  }

  /** The fields that were sent; an empty value is among them and clears. */
  sent(input: object): Fields {
    const values = input as Values;
    const sent = this.#names.filter(([, name]) => values[name] !== undefined);
    return Object.fromEntries(sent.map(([field, name]) => [field, values[name]])) as Fields;
  }

  /** Those of the fields that differ from what is there. */
  differing(current: object, fields: Fields): Fields {
    const values = fields as Values;
    const differing = this.#names.filter(
      ([field]) =>
        values[field] !== undefined && values[field] !== currentValue(current, field, values[field]),
    );
    return Object.fromEntries(differing.map(([field]) => [field, values[field]])) as Fields;
  }

  describeNew(fields: Fields): FieldChanges {
    return this.#describe(fields, (_field, to) => ({ to }));
  }

  describeChange(current: object, fields: Fields): FieldChanges {
    return this.#describe(fields, (field, to) => ({ from: currentValue(current, field, to), to }));
  }

  describeRemoved(current: object): FieldChanges {
    return this.#describe(current, (_field, from) => ({ from }));
  }

  #describe(fields: object, describe: (field: string, value: unknown) => FieldChanges[string]): FieldChanges {
    const values = fields as Values;
    const given = this.#names.filter(([field]) => values[field] !== undefined);
    return Object.fromEntries(given.map(([field, name]) => [name, describe(field, values[field])]));
  }
}

/** A field that a record leaves out has the empty value of its type. */
function currentValue(current: object, field: string, like: unknown): unknown {
  return (current as Values)[field] ?? (typeof like === 'bigint' ? 0n : '');
}

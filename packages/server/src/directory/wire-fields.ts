/** The wire name of each field of a role, organization or store. */
type WireNames<Fields> = { readonly [Field in keyof Fields]-?: string };

type Values = Readonly<Record<string, unknown>>;

/** The audit row's description of fields: old and new values under their wire names. */
type FieldChanges = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>;

/** Reads, compares and describes the fields that callers may set. */
export class WireFields<Fields extends object> {
  readonly #names: readonly (readonly [field: string, name: string])[];

  constructor(names: WireNames<Fields>) {
    this.#names = Object.entries(names);
  }

  /** Returns the fields that were sent, including empty values, which clear the field. */
  sent(input: object): Fields {
    const values = input as Values;
    const sent = this.#names.filter(([, name]) => values[name] !== undefined);
    return Object.fromEntries(sent.map(([field, name]) => [field, values[name]])) as Fields;
  }

  /** Returns the fields that differ from the current ones. */
  differing(current: object, fields: Fields): Fields {
    const values = fields as Values;
    const differing = this.#names.filter(
      ([field]) =>
        values[field] !== undefined && values[field] !== currentValue(current, field, values[field]),
    );
    return Object.fromEntries(differing.map(([field]) => [field, values[field]])) as Fields;
  }

  /** Describes the fields of something new, without those that are empty. */
  describeNew(fields: Fields): FieldChanges {
    return this.#describe(this.differing({}, fields), (_field, to) => ({ to }));
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

/** Returns a field's value; a field missing from the record has its type's empty value. */
function currentValue(current: object, field: string, like: unknown): unknown {
  return (current as Values)[field] ?? emptyLike(like);
}

function emptyLike(value: unknown): unknown {
  if (typeof value === 'bigint') return 0n;
  return typeof value === 'number' ? 0 : '';
}

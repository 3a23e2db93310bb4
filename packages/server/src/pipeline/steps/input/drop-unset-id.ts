import type { TObject } from 'typebox';
import type { FieldsReader } from './read-field.ts';

type Fields = Record<string, unknown>;

/**
 * Makes the function that drops an id of 0 from the fields that were read if an empty username was sent beside it:
 * typed clients send both when neither is set. Alone, an id of 0 stays, and names nobody.
 */
export function unsetIdDropper(schema: TObject | undefined): (fields: Fields, username: unknown) => Fields {
  const names = Object.keys(schema?.properties ?? {});
  const idName = ['id', 'user_id'].find((name) => names.includes(name));
  if (idName === undefined || !names.includes('username')) return (fields) => fields;
  return (fields, username) => {
    if (username === '' && fields[idName] === 0n) delete fields[idName];
    return fields;
  };
}

/** Lets a reader drop such an id. */
export function withoutUnsetId(schema: TObject | undefined, read: FieldsReader): FieldsReader {
  const drop = unsetIdDropper(schema);
  return (find, prefix, given) => drop(read(find, prefix, given), find('username'));
}

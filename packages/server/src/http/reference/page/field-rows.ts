import { element } from './element.ts';
import type { Schema } from './operations.ts';

/**
 * Returns a table row for each field; nested fields follow the field that holds them.
 *
 * @param marksRequired whether to mark the fields that must be sent; an answer always has all of them
 */
export function fieldRows(schema: Schema, marksRequired: boolean, prefix = ''): HTMLTableRowElement[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isRequired = marksRequired && schema.required?.includes(name) === true;
    const inner = field.items?.properties === undefined ? field : field.items;
    const path = prefix + name;
    return [
      row(path, field, isRequired),
      ...fieldRows(inner, marksRequired, inner === field ? `${path}.` : `${path}[].`),
    ];
  });
}

function row(path: string, field: Schema, isRequired: boolean): HTMLTableRowElement {
  const name = element('th', { scope: 'row' }, element('code', {}, path));
  if (isRequired) name.append(' ', element('span', { class: 'tag' }, 'required'));
  const meaning = [field.description ?? '', rules(field)].filter(Boolean).join('. ');
  return element(
    'tr',
    { 'data-field': path },
    name,
    element('td', {}, typeName(field)),
    element('td', {}, meaning),
  );
}

/** Returns the type in words, such as `int64` instead of an integer with a format. */
export function typeName({ type, format, items }: Schema): string {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  const [name = 'any'] = types.filter((one) => one !== 'null');
  if (name === 'array') return items === undefined ? 'array' : `array of ${typeName(items)}`;
  return format === undefined ? name : name === 'integer' ? format : `${name}, ${format}`;
}

/** Returns the limits of a field as a sentence fragment. */
export function rules({
  enum: values,
  minLength = 0,
  maxLength,
  minimum,
  maximum,
  maxItems,
}: Schema): string {
  const accepted = values?.filter((value) => value !== null).map((value) => JSON.stringify(value));
  return [
    accepted === undefined ? '' : `One of ${accepted.join(', ')}`,
    maxLength === undefined ? '' : `${minLength > 0 ? `${minLength} to` : 'At most'} ${maxLength} characters`,
    minimum === undefined ? '' : `At least ${minimum}`,
    maximum === undefined ? '' : `At most ${maximum}`,
    maxItems === undefined ? '' : `At most ${maxItems} entries`,
  ]
    .filter(Boolean)
    .join('. ');
}

import { element } from './element.ts';
import { rules, typeName } from './field-rows.ts';
import type { Parameter } from './operations.ts';

export interface ParameterField {
  readonly parameter: Parameter;
  readonly element: HTMLElement;
  /** The text entered; `''` leaves the parameter out of the request. */
  value(): string;
}

/** Makes a labelled field for a parameter, filled with its example. */
export function parameterField(parameter: Parameter, operationId: string): ParameterField {
  const id = `${operationId}-${parameter.name}`;
  const input = inputFor(parameter, id);
  const { name, required, schema, description = '' } = parameter;
  const hint = [description, rules(schema)].filter(Boolean);
  const label = element(
    'label',
    { for: id },
    element('code', {}, name),
    element('span', { class: 'type' }, ` ${typeName(schema)}`),
    ...(required ? [' ', element('span', { class: 'tag' }, 'required')] : []),
  );
  const about = element('p', { id: `${id}-about` }, `${hint.join('. ')}.`);
  return {
    parameter,
    element: element('div', { class: 'field', 'data-field': name }, label, input, about),
    value: () => input.value,
  };
}

function inputFor(
  { schema, example, required }: Parameter,
  id: string,
): HTMLInputElement | HTMLSelectElement {
  const text = example === undefined ? '' : typeof example === 'string' ? example : JSON.stringify(example);
  const common = { id, 'aria-describedby': `${id}-about`, 'aria-required': String(required) };
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  if (choices === undefined) {
    // A field of type `number` would round an int64.
    const numeric = schema.type === 'integer' ? { inputmode: 'numeric' } : {};
    return element('input', { ...common, ...numeric, value: text, autocomplete: 'off', spellcheck: 'false' });
  }
  const options = ['', ...choices].map((choice) =>
    element('option', { value: choice, selected: choice === text }, choice === '' ? '(left out)' : choice),
  );
  return element('select', common, ...options);
}

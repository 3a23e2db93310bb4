/** JSON.parse source text access, where the browser has it. Older ones round integers above 2^53 in examples. */
interface ExactJson {
  rawJSON?: (text: string) => unknown;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { source?: string }) => unknown,
  ): unknown;
}

const json = JSON as unknown as ExactJson;

/** Parses JSON into what `JSON.stringify` writes again with every digit. Throws `SyntaxError`. */
export function parsePrintableJson(text: string): unknown {
  return json.parse(text, (_key, value, context) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    return context?.source === undefined ? value : (json.rawJSON?.(context.source) ?? value);
  });
}

/** A string, or a sign between values. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

/**
 * Returns the first key that an object has twice, and the line of the second one. `JSON.parse` takes the last one.
 *
 * @param json valid JSON; objects within the object are not examined
 */
export function findRepeatedKey(json: string): { readonly key: string; readonly line: number } | undefined {
  const seen = new Set<string>();
  let depth = 0;
  let mayBeKey = false;
  for (const { 0: text, index } of json.matchAll(token)) {
    if (text === '{' || text === '[') depth += 1;
    else if (text === '}' || text === ']') depth -= 1;
    else if (text.startsWith('"') && depth === 1 && mayBeKey) {
      const key: string = JSON.parse(text);
      if (seen.has(key)) return { key, line: json.slice(0, index).split('\n').length };
      seen.add(key);
    }
    mayBeKey = text === '{' || text === ',';
  }
  return undefined;
}

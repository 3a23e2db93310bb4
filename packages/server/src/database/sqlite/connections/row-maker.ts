/** Makes a row from the values of its columns. */
export type MakeRow = (values: readonly unknown[]) => Record<string, unknown>;

/**
 * Returns a function that makes rows with these columns. It is compiled, because adding properties to an object one by
 * one takes ten times as long, and V8 copies them to a larger place again and again.
 *
 * @param names columns of one of our own statements, none of them `__proto__`, which would set the prototype; when two
 * have one name, the row has the value of the last
 */
export function rowMaker(names: readonly string[]): MakeRow {
  const properties = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function('values', `return { ${properties.join(', ')} };`) as MakeRow;
}

/** Lines of text whose cells stand below each other. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const align = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0);
  return rows.map((cells) => cells.map(align).join('  ').trimEnd());
}

/** Three digits that count, and no more than the figure carries. */
export function numberText(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** An empty cell where nothing is known. */
export function optionalText(value: number | undefined): string {
  return value === undefined ? '' : numberText(value);
}

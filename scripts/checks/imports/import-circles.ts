/** The imports of each file, by path. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Finds files that import each other in a circle. Returns each circle once, as the path along it. */
export function importCircles(graph: ImportGraph): string[][] {
  const done = new Set<string>();
  const circles: string[][] = [];
  for (const file of graph.keys()) follow(file, []);
  return circles;

  function follow(file: string, path: readonly string[]): void {
    const begins = path.indexOf(file);
    if (begins !== -1) circles.push([...path.slice(begins), file]);
    if (done.has(file)) return;
    done.add(file);
    for (const imported of graph.get(file) ?? []) follow(imported, [...path, file]);
  }
}

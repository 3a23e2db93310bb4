import assert from 'node:assert/strict';

/**
 * Returns the paths and methods of a printed tree of routes, in which each line holds what it adds to the one above.
 * The slash before a wildcard is not printed.
 */
export function routesOf(tree: string): string[] {
  const above: string[] = [];
  return tree
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', piece = '', methods = ''] =
        /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
      assert.notEqual(piece, '', `the line ${line} has another form`);
      const depth = indent.length / 4;
      above[depth] = (above[depth - 1] ?? '') + piece.replace(/^\*/, '/*');
      return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${above[depth]}`);
    })
    .sort();
}

import {
  isPath,
  levelsMax,
  type NamesInFile,
  nameKey,
  pathKey,
  type TargetField,
  targetFields,
} from './target-names.ts';

/** A role or an organization, as the interface lists it. */
export interface Target {
  readonly id: number | bigint;
  readonly name: string;
  /** Of an organization. */
  readonly parent_id?: number | bigint;
}

/** Everything that a name of a file may mean. */
export interface NameMatches {
  readonly count: number;
  /** The first of them, by id. A role has no path but its name. */
  readonly found: readonly { readonly id: string; readonly path: string }[];
}

/** What the names of a file stand for, by their keys; without those that stand for nothing. */
export type ResolvedNames = Readonly<Record<TargetField, ReadonlyMap<string, NameMatches>>>;

/** Lists every role or organization of the tenant. */
export type TargetLists = Readonly<Record<TargetField, () => Promise<readonly Target[]>>>;

/**
 * Finds what the names in a file stand for. Reads each list once, and only if the file names one of its entries: neither
 * operation can be asked for a name, and a list has 500 entries a page.
 */
export async function resolveNames(names: NamesInFile, lists: TargetLists): Promise<ResolvedNames> {
  const resolve = async (field: TargetField) =>
    names[field].size === 0
      ? new Map<string, NameMatches>()
      : findMatches(names[field], await lists[field]());
  return { role_id: await resolve('role_id'), org_id: await resolve('org_id') };
}

/** Returns a text that is the same as long as every name of a file stands for the same roles and organizations. */
export function describeNames(names: ResolvedNames): string {
  return JSON.stringify(
    targetFields.map((field) =>
      [...names[field]].map(([key, { count, found }]) => [key, count, ...found.map(({ id }) => id)]),
    ),
  );
}

const foundMax = 10;

/** A name that an entry has goes before a path, because a name may contain the separator. */
function findMatches(keys: ReadonlySet<string>, targets: readonly Target[]): Map<string, NameMatches> {
  const tree = new Map(targets.map((target) => [String(target.id), { target, key: nameKey(target.name) }]));
  const paths = new Set([...keys].filter(isPath).map(pathKey));
  const named = new Map<string, Target[]>();
  const reached = new Map<string, Target[]>();
  for (const node of tree.values()) {
    if (keys.has(node.key)) push(named, node.key, node.target);
    if (paths.size === 0) continue;
    for (const path of pathsTo(node, tree)) if (paths.has(path)) push(reached, path, node.target);
  }
  const matches = new Map<string, NameMatches>();
  for (const key of keys) {
    const found = named.get(key) ?? reached.get(pathKey(key));
    if (found !== undefined) matches.set(key, describe(found, tree));
  }
  return matches;
}

interface TreeNode {
  readonly target: Target;
  readonly key: string;
}

type Tree = ReadonlyMap<string, TreeNode>;

function push(lists: Map<string, Target[]>, key: string, target: Target): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [target]);
  else list.push(target);
}

/** Yields the keys of every path that ends at an organization: its name, its parent's before it, and so on. */
function* pathsTo(node: TreeNode, tree: Tree): Iterable<string> {
  let path = '';
  for (const { key } of upwards(node, tree)) {
    path = path === '' ? pathKey(key) : `${pathKey(key)}/${path}`;
    yield path;
  }
}

function* upwards(node: TreeNode, tree: Tree): Iterable<TreeNode> {
  let current: TreeNode | undefined = node;
  // Pages read at different times may show two organizations as each other's parent.
  for (let level = 0; current !== undefined && level < levelsMax; level++) {
    yield current;
    current = tree.get(String(current.target.parent_id ?? 0));
  }
}

function describe(targets: readonly Target[], tree: Tree): NameMatches {
  const found = targets
    .slice(0, foundMax)
    .map(({ id }) => ({ id: String(id), path: pathOf(String(id), tree) }));
  return { count: targets.length, found };
}

function pathOf(id: string, tree: Tree): string {
  const node = tree.get(id);
  if (node === undefined) return '';
  return Array.from(upwards(node, tree), ({ target }) => target.name)
    .reverse()
    .join(' / ');
}

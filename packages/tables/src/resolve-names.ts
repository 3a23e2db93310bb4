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
  /** The organization above; only organizations have one. */
  readonly parent_id?: number | bigint;
}

/** The roles or organizations that a name in a file may mean. */
export interface NameMatches {
  readonly count: number;
  /** The first of them in the order of the list. The path of a role is its name. */
  readonly found: readonly { readonly id: string; readonly path: string }[];
}

/** The roles and organizations that the names in a file stand for, by their keys. A name without a match is absent. */
export type ResolvedNames = Readonly<Record<TargetField, ReadonlyMap<string, NameMatches>>>;

/** Lists every role or organization of the tenant. */
export type TargetLists = Readonly<Record<TargetField, () => Promise<readonly Target[]>>>;

/**
 * Finds what the names in a file stand for. Reads each list once, and only if the file has names for it: the interface
 * has no search by name, and a list takes a request for every 500 entries.
 */
export async function resolveNames(names: NamesInFile, lists: TargetLists): Promise<ResolvedNames> {
  const resolve = async (field: TargetField) =>
    names[field].size === 0
      ? new Map<string, NameMatches>()
      : findMatches(names[field], await lists[field]());
  return { role_id: await resolve('role_id'), org_id: await resolve('org_id') };
}

/** Returns a text that changes only when a name in a file comes to stand for other roles or organizations. */
export function describeNames(names: ResolvedNames): string {
  return JSON.stringify(
    targetFields.map((field) =>
      [...names[field]].map(([key, { count, found }]) => [key, count, ...found.map(({ id }) => id)]),
    ),
  );
}

const foundMax = 10;

/** Prefers an entry with the whole text as its name to one with that path, because a name may contain a separator. */
function findMatches(keys: ReadonlySet<string>, targets: readonly Target[]): Map<string, NameMatches> {
  const tree = new Map(targets.map((target) => [String(target.id), { target, key: nameKey(target.name) }]));
  const paths = new Set([...keys].filter(isPath).map(pathKey));
  const named = new Map<string, TreeNode[]>();
  const reached = new Map<string, TreeNode[]>();
  for (const node of tree.values()) {
    if (keys.has(node.key)) push(named, node.key, node);
    if (paths.size === 0) continue;
    for (const path of pathsTo(node, tree)) if (paths.has(path)) push(reached, path, node);
  }
  const matches = new Map<string, NameMatches>();
  for (const key of keys) {
    const found = named.get(key) ?? reached.get(pathKey(key));
    if (found !== undefined) matches.set(key, toMatches(found, tree));
  }
  return matches;
}

interface TreeNode {
  readonly target: Target;
  readonly key: string;
}

type Tree = ReadonlyMap<string, TreeNode>;

function push(lists: Map<string, TreeNode[]>, key: string, node: TreeNode): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [node]);
  else list.push(node);
}

/**
 * Yields the key of every path that ends at an organization: its name, then with its parent's before it, and so on. The
 * last path begins with a separator, which says that nothing is above it.
 */
function* pathsTo(node: TreeNode, tree: Tree): Iterable<string> {
  let path = '';
  for (const { target, key } of upwards(node, tree)) {
    path = path === '' ? pathKey(key) : `${pathKey(key)}/${path}`;
    yield path;
    if (isRoot(target)) yield `/${path}`;
  }
}

/** Returns whether the target is an organization with none above it. */
function isRoot({ parent_id }: Target): boolean {
  return parent_id !== undefined && String(parent_id) === '0';
}

function* upwards(node: TreeNode, tree: Tree): Iterable<TreeNode> {
  let current: TreeNode | undefined = node;
  // Pages read at different times may show two organizations as each other's parent.
  for (let level = 0; current !== undefined && level < levelsMax; level++) {
    yield current;
    current = tree.get(String(current.target.parent_id ?? 0));
  }
}

function toMatches(nodes: readonly TreeNode[], tree: Tree): NameMatches {
  const isAmbiguous = nodes.length > 1;
  const found = nodes.slice(0, foundMax).map((node) => ({
    id: String(node.target.id),
    // The name of a root alone would match the others too.
    path: isAmbiguous && isRoot(node.target) ? `/ ${node.target.name}` : pathOf(node, tree),
  }));
  return { count: nodes.length, found };
}

function pathOf(node: TreeNode, tree: Tree): string {
  return Array.from(upwards(node, tree), ({ target }) => target.name)
    .reverse()
    .join(' / ');
}

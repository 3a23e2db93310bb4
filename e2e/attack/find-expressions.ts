import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AnyNode, parse } from 'acorn';
import { transformSync } from 'esbuild';
import { operations } from '../../packages/contract/src/index.ts';
import { repositoryRoot } from '../fieldroster-command.ts';

export interface FoundExpression {
  /** The file, and the expression as the source contains it, or as the file builds it. */
  readonly name: string;
  readonly expression: RegExp;
}

/**
 * Files that build an expression when they use it, and from what. All others build theirs when they are loaded, which is
 * how they are found.
 */
const builtWhenUsed: Readonly<Record<string, string>> = {
  'packages/server/src/applications/master-key/replace-key-file.ts':
    "the name of the operator's key file, escaped",
  'packages/server/src/pipeline/steps/input/read-text.ts':
    'the patterns of the contract, which are found there',
};

/** Finds every regular expression in the packages' sources, except tests, and every pattern of the contract. */
export async function findExpressions(): Promise<FoundExpression[]> {
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: repositoryRoot }).sort();
  const sources = files.filter((file) => !/\.test\.tsx?$|\/conformance\//.test(file)).map(readSource);
  const stale = Object.keys(builtWhenUsed).filter(
    (name) => !sources.some(({ file, constructions }) => file === name && constructions > 0),
  );
  if (stale.length > 0) throw new Error(`${stale.join(', ')}: builds no expression any more`);
  const built: FoundExpression[] = [];
  for (const { file, constructions } of sources)
    if (constructions > 0) built.push(...(await expressionsBuiltBy(file, constructions)));
  const found = [...sources.flatMap(({ literals }) => literals), ...built, ...patternsOfContract()];
  return [...new Map(found.map((each) => [each.name, each])).values()];
}

interface Source {
  readonly file: string;
  readonly literals: readonly FoundExpression[];
  /** How often the file has `RegExp(…)`, with `new` or without. */
  readonly constructions: number;
}

function readSource(file: string): Source {
  const literals: FoundExpression[] = [];
  let constructions = 0;
  const source = readFileSync(join(repositoryRoot, file), 'utf8');
  const { code } = transformSync(source, { loader: file.endsWith('x') ? 'tsx' : 'ts', charset: 'utf8' });
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true }), (node) => {
    if (isConstruction(node)) constructions += 1;
    if (node.type !== 'Literal' || node.regex === undefined || node.regex === null) return;
    const expression = new RegExp(node.regex.pattern, node.regex.flags);
    literals.push({ name: `${file} ${expression}`, expression });
  });
  return { file, literals, constructions };
}

function isConstruction(node: AnyNode): boolean {
  return (
    (node.type === 'NewExpression' || node.type === 'CallExpression') &&
    node.callee.type === 'Identifier' &&
    node.callee.name === 'RegExp'
  );
}

/** Loads a file while expressions that are built are noted. */
async function expressionsBuiltBy(file: string, constructions: number): Promise<FoundExpression[]> {
  if (file in builtWhenUsed) return [];
  const url = pathToFileURL(join(repositoryRoot, file)).href;
  // Loads what the file imports, so that only the file itself is loaded again, under another URL.
  await import(url);
  const built: RegExp[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = noting(original, built);
  try {
    await import(`${url}?again`);
  } finally {
    globalThis.RegExp = original;
  }
  if (built.length < constructions) {
    throw new Error(
      `${file} builds ${constructions - built.length} expressions when it is used; build them when it is loaded`,
    );
  }
  return built.map((expression) => ({ name: `${file} ${visibly(String(expression))}`, expression }));
}

/** Escapes what does not show in a list. */
function visibly(text: string): string {
  return text.replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function noting(original: RegExpConstructor, built: RegExp[]): RegExpConstructor {
  const note = (expression: RegExp) => {
    built.push(expression);
    return expression;
  };
  return new Proxy(original, {
    construct: (target, parameters) => note(Reflect.construct(target, parameters)),
    apply: (target, self, parameters) => note(Reflect.apply(target, self, parameters)),
  });
}

function visit(value: unknown, see: (node: AnyNode) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value) see(value as AnyNode);
  for (const part of Object.values(value)) visit(part, see);
}

/** The server compiles each pattern; see its `read-text.ts`. */
function patternsOfContract(): FoundExpression[] {
  const found: FoundExpression[] = [];
  JSON.stringify(operations, (key, value) => {
    if (key !== 'pattern') return value;
    const expression = new RegExp(value, 'u');
    found.push({ name: `contract ${expression}`, expression });
    return value;
  });
  return found;
}

import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { type AnyNode, parse } from 'acorn';
import { operations } from '../../packages/contract/src/index.ts';
import { repositoryRoot } from '../fieldroster-command.ts';

export interface FoundExpression {
  /** The file, and the expression as the source contains it. */
  readonly name: string;
  readonly expression: RegExp;
}

/** Finds every regular expression in the packages' sources, except tests, and every pattern of the contract. */
export function findExpressions(): FoundExpression[] {
  const files = globSync('packages/*/src/**/*.ts', { cwd: repositoryRoot }).sort();
  const sources = files.filter((file) => !/\.test\.ts$|\/conformance\//.test(file));
  const found = [...sources.flatMap(expressionsOf), ...patternsOfContract()];
  return [...new Map(found.map((each) => [each.name, each])).values()];
}

function expressionsOf(file: string): FoundExpression[] {
  const found: FoundExpression[] = [];
  const code = stripTypeScriptTypes(readFileSync(join(repositoryRoot, file), 'utf8'));
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true }), (node) => {
    if (node.type !== 'Literal' || node.regex === undefined || node.regex === null) return;
    const expression = new RegExp(node.regex.pattern, node.regex.flags);
    found.push({ name: `${file} ${expression}`, expression });
  });
  return found;
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

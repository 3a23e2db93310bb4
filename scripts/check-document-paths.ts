import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { headingAnchor } from './heading-anchor.ts';
import { listFiles } from './list-files.ts';
import { reportProblems } from './report-problems.ts';

/**
 * Checks that every path that ARCHITECTURE.md names exists, and that every relative link of every document
 * leads somewhere. `<operation>` in a path stands for any name.
 */
export function checkDocumentPaths(root: string): string[] {
  const documents = listFiles(root).filter((path) => path.endsWith('.md'));
  return [...checkMap(root), ...documents.flatMap((path) => checkLinks(root, path))];
}

const map = 'ARCHITECTURE.md';

const linesMax = 150;

function checkMap(root: string): string[] {
  if (!existsSync(join(root, map))) return [`${map}: is missing`];
  const text = readFileSync(join(root, map), 'utf8');
  const missing = pathsNamedIn(text).filter((path) => !exists(root, path));
  const lines = text.split('\n').length - 1;
  return [
    ...missing.map((path) => `${map}: names ${path}, which does not exist`),
    ...(lines > linesMax ? [`${map}: has ${lines} lines; a map has at most ${linesMax}`] : []),
  ];
}

/** Code spans that look like paths: with a slash inside or at the end, or with a file's ending. */
export function pathsNamedIn(markdown: string): string[] {
  const spans = [...markdown.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span ?? '');
  return spans.filter(
    (span) =>
      /^[\w.][\w.<>-]*(\/[\w.<>-]+)*\/?$/.test(span) &&
      (span.includes('/') || /\.(md|ts|mjs|json)$/.test(span)),
  );
}

function exists(root: string, path: string): boolean {
  const pattern = path.replace(/<[^>]+>/g, '*');
  return pattern === path ? existsSync(join(root, path)) : globSync(pattern, { cwd: root }).length > 0;
}

function checkLinks(root: string, document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)(?: "[^"\n]*")?\)/g)].map(
    ([, link]) => link ?? '',
  );
  return links
    .filter((link) => !/^[a-z]+:/i.test(link))
    .filter((link) => !leadsSomewhere(root, document, link))
    .map((link) => `${document}: links to ${link}, which does not exist`);
}

function leadsSomewhere(root: string, document: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? join(root, document) : join(root, dirname(document), file);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(readFileSync(target, 'utf8')).has(anchor);
}

/** Anchors as GitHub derives them from headings, a repeated one with a number, and those that are written out. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set([...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id ?? ''));
  const seen = new Map<string, number>();
  for (const [, heading = ''] of withoutCode(markdown).matchAll(/^#{1,6}\s+(.+)$/gm)) {
    const anchor = headingAnchor(heading);
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    anchors.add(before === 0 ? anchor : `${anchor}-${before}`);
  }
  return anchors;
}

/** What a code block holds is neither a heading nor a link. */
function withoutCode(markdown: string): string {
  return markdown.replace(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^\1\2 *$/gm, '');
}

if (import.meta.main) reportProblems(checkDocumentPaths(process.cwd()), 'every path in the documents exists');

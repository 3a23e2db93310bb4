import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { headingAnchor } from '../heading-anchor.ts';
import { listFiles } from '../list-files.ts';
import { isUrl, linksOf, withoutCodeBlocks } from './document-links.ts';
import { reportProblems } from './report-problems.ts';

/**
 * Checks that every path named in ARCHITECTURE.md exists, that every path of the sources named in any document does,
 * and that every relative link and image of every document has a target, including anchors. `<operation>` in a path
 * stands for any name. Does not request URLs.
 */
export function checkDocumentPaths(root: string): string[] {
  const documents = listFiles(root).filter((path) => path.endsWith('.md'));
  return [
    ...checkMap(root),
    ...documents.filter((path) => path !== map).flatMap((path) => checkSourcePaths(root, path)),
    ...documents.flatMap((path) => checkLinks(root, path)),
  ];
}

/** Folders whose files are all in the repository. Others also hold what the project's commands write. */
const sourceFolders = /^(?:packages|scripts|e2e|examples|mutation|decisions)\//;

function checkSourcePaths(root: string, document: string): string[] {
  return [...new Set(pathsNamedIn(readFileSync(join(root, document), 'utf8')))]
    .filter((path) => sourceFolders.test(path) && !exists(root, path))
    .map((path) => `${document}: names ${path}, which does not exist`);
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

/** Returns the code spans that look like paths: with a slash inside or at the end, or with a file extension. */
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
  return linksOf(readFileSync(join(root, document), 'utf8'))
    .filter((link) => !isUrl(link))
    .filter((link) => !leadsSomewhere(root, document, link))
    .map((link) => `${document}: links to ${link}, which does not exist`);
}

function leadsSomewhere(root: string, document: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? join(root, document) : join(root, dirname(document), file);
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  const page = statSync(target).isDirectory() ? join(target, 'README.md') : target;
  return existsSync(page) && anchorsOf(readFileSync(page, 'utf8')).has(anchor);
}

/** Returns the anchors that GitHub derives from headings, numbered if repeated, and explicit ones. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set([...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id ?? ''));
  const seen = new Map<string, number>();
  for (const [, heading = ''] of withoutCodeBlocks(markdown).matchAll(/^#{1,6}\s+(.+)$/gm)) {
    const anchor = headingAnchor(heading);
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    anchors.add(before === 0 ? anchor : `${anchor}-${before}`);
  }
  return anchors;
}

if (import.meta.main) reportProblems(checkDocumentPaths(process.cwd()), 'every path in the documents exists');

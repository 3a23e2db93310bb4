import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { imagesOf, isUrl } from '../checks/document-links.ts';
import { listFiles } from '../list-files.ts';

/** Folders whose pages are for developers of the benchmarks or the site, not for readers. */
const leftOut = /^(bench|site)\//;

/** Lists the documents that become pages, relative to the root. */
export function sitePages(root: string): string[] {
  return listFiles(root).filter((path) => path.endsWith('.md') && !leftOut.test(path));
}

/** Returns the path of a document's page: a README is the page of its folder. */
export function pagePath(document: string): string {
  return document.replace(/(^|\/)README\.md$/, '$1index.md');
}

/** Returns the link to a document's page on the site. */
export function pageLink(document: string): string {
  return `/${pagePath(document)}`.replace(/(index)?\.md$/, '');
}

/** Lists the images on the pages, relative to the root, without URLs. */
export function siteImages(root: string): string[] {
  const images = sitePages(root).flatMap((document) =>
    imagesOf(readFileSync(join(root, document), 'utf8'))
      .filter((image) => !isUrl(image))
      .map((image) => posix.join(posix.dirname(document), image)),
  );
  return [...new Set(images)];
}

/**
 * Converts a link of a document to a link of its page.
 *
 * @param pages as `sitePages` lists them
 * @returns `undefined` for a link to something other than a page, such as a source file
 */
export function siteLink(document: string, link: string, pages: ReadonlySet<string>): string | undefined {
  if (/^([a-z]+:|#)/i.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const target = posix.join(posix.dirname(document), path);
  const page = [target, posix.join(target, 'README.md')].find((candidate) => pages.has(candidate));
  if (page === undefined) return target in siteFiles ? path : undefined;
  const relative = posix.relative(posix.dirname(document), pagePath(page));
  return `${relative.startsWith('.') ? '' : './'}${relative}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Other files of the site: the path on the site, and the source file. */
export const siteFiles: Readonly<Record<string, string>> = {
  'docs/openapi.json': 'docs/openapi.json',
  'icon.svg': 'packages/server/src/http/reference/page/icon.svg',
};

/** Returns the first heading of a document. */
export function titleOf(root: string, document: string): string {
  const path = join(root, document);
  const [, title] = existsSync(path) ? (/^# (.+)$/m.exec(readFileSync(path, 'utf8')) ?? []) : [];
  if (title === undefined) throw new Error(`${document} has no heading to be listed by`);
  return title;
}

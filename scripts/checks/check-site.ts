import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { topLinks } from '../site/navigation.ts';
import { pageLink, siteFiles, siteImages, sitePages } from '../site/site-pages.ts';
import { reportProblems } from './report-problems.ts';

/**
 * Checks the parts of the site that `checkDocumentPaths` does not: its files, its images and the links at the
 * top of every page. Does not build the site, which takes half a minute plus an install.
 */
export function checkSite(root: string): string[] {
  const pages = new Set(sitePages(root).map(pageLink));
  const files = [...Object.values(siteFiles), ...siteImages(root)];
  return [
    ...files
      .filter((file) => !existsSync(join(root, file)))
      .map((file) => `the site needs ${file}, which does not exist`),
    ...topLinks
      .filter(({ link }) => !pages.has(link))
      .map(({ text, link }) => `the site links "${text}" to ${link}, which is not a page`),
  ];
}

if (import.meta.main)
  reportProblems(checkSite(process.cwd()), 'the site has all its files, images and links');

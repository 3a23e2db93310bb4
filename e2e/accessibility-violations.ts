import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Minified, because a browser takes twice as long to load it with its comments. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Rules that axe leaves out by default. People who control a computer by voice press a button by saying its text. */
const moreRules = { 'label-content-name-mismatch': { enabled: true } };

/** Menus, lists of options and hints belong to what opened them; by default, axe wants them in a landmark, unlike dialogs. */
const besideLandmarks =
  'dialog, [role=dialog], [role=alertdialog], svg, [role=menu], [role=listbox], [role=tooltip]';

const configuration = { checks: [{ id: 'region', options: { regionMatcher: besideLandmarks } }] };

/**
 * Returns the page's accessibility problems, each with its rule and elements.
 *
 * Loads axe once into each document. Its adapter for Playwright loads it for each check, and opens a blank page to join
 * the results of frames, of which our pages have none. Both take far longer than the check.
 */
export async function accessibilityViolations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate("typeof axe === 'object'")))
    await page.evaluate(`${source}; axe.configure(${JSON.stringify(configuration)})`);
  const { violations }: axe.AxeResults = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'], rules: ${JSON.stringify(moreRules)} })`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

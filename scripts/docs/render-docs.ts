import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientSizeTable } from './client-size.ts';
import { errorsPage } from './errors-page.ts';
import { figureSentences } from './figures.ts';
import { fillSection } from './fill-section.ts';
import { answerWaitTable, limitsTable } from './limits-table.ts';
import { openApiDocument } from './openapi-document.ts';
import { operationsPage } from './operations-page.ts';
import { settingsTable } from './settings-table.ts';

/** Renders every document that is fully or partly generated. Returns the expected texts by path. */
export function renderDocs(root: string): ReadonlyMap<string, string> {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  return new Map([
    ['README.md', fillSection(read('README.md'), 'figures', figureSentences(root))],
    ['docs/errors.md', errorsPage()],
    ['docs/interface.md', interfacePage(read('docs/interface.md'))],
    ['docs/openapi.json', `${JSON.stringify(openApiDocument(), null, 2)}\n`],
    ['docs/operating.md', fillSection(read('docs/operating.md'), 'settings', settingsTable())],
    ['docs/operations.md', operationsPage()],
    ['packages/client/README.md', fillSection(read('packages/client/README.md'), 'size', clientSizeTable())],
  ]);
}

function interfacePage(page: string): string {
  return fillSection(fillSection(page, 'limits', limitsTable()), 'answer wait', answerWaitTable());
}

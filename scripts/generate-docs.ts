import { writeFileSync } from 'node:fs';
// These two read the same flag and do their work when loaded; the size of the client is measured after that.
import '../packages/client/scripts/generate.ts';
import './collections/write-collections.ts';
import { checkGeneratedDocs } from './checks/check-generated-docs.ts';
import { reportProblems } from './checks/report-problems.ts';
import { renderDocs } from './docs/render-docs.ts';

// npm run docs               writes what the client and the collections take from the contract,
//                            and the generated documents
// npm run docs -- --check    says which of them are out of step, and writes nothing

if (process.argv.includes('--check')) {
  reportProblems(checkGeneratedDocs(process.cwd()), 'the generated documents are in step');
} else {
  for (const [path, text] of renderDocs(process.cwd())) writeFileSync(path, text);
}

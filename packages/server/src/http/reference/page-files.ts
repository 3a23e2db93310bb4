import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ScriptLanguageId, signerFiles } from '@fieldroster/contract/signing-scripts';
import { fromSources, ownFile } from '../../own-files.ts';

export interface PageFile {
  readonly contentType: string;
  readonly text: string;
}

const script = 'main.js';

const ownFiles = {
  '': { file: 'index.html', contentType: 'text/html; charset=utf-8' },
  'style.css': { file: 'style.css', contentType: 'text/css; charset=utf-8' },
  'icon.svg': { file: 'icon.svg', contentType: 'image/svg+xml' },
  [script]: { file: script, contentType: 'text/javascript; charset=utf-8' },
};

/** Reads the page's files, keyed by their paths below `/docs/`; the page itself has the empty path. */
export async function readPageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  for (const [path, { file, contentType }] of Object.entries(ownFiles)) {
    const text = await (fromSources && file === script ? bundledScript() : readOwn(file));
    files.set(path, { contentType, text });
  }
  for (const id of Object.keys(signerFiles) as ScriptLanguageId[]) {
    files.set(`signers/${id}`, {
      contentType: 'text/plain; charset=utf-8',
      text: await readFile(signerFile(id), 'utf8'),
    });
  }
  return files;
}

/** In a checkout the signers are among the examples; the published package contains copies. */
function signerFile(id: ScriptLanguageId): URL {
  const file = signerFiles[id];
  return ownFile(fromSources ? `../../../examples/${file}` : `http/reference/page/signers/${file}`);
}

function readOwn(file: string): Promise<string> {
  return readFile(ownFile(`http/reference/page/${file}`), 'utf8');
}

const run = promisify(execFile);

/** Bundles the script in another process, on the first request for the page: in a checkout nothing is built. */
async function bundledScript(): Promise<string> {
  const root = fileURLToPath(ownFile('../../../'));
  const { stdout } = await run(process.execPath, ['scripts/packages/print-page-script.ts'], { cwd: root });
  return stdout;
}

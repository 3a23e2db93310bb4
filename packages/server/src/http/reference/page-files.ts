import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
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

/** Reads the page, by the paths of its files below `/docs/`; the page itself is at the empty path. */
export async function readPageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  for (const [path, { file, contentType }] of Object.entries(ownFiles)) {
    const text = await (fromSources && file === script ? bundledScript() : readOwn(file));
    files.set(path, { contentType, text });
  }
  return files;
}

function readOwn(file: string): Promise<string> {
  return readFile(ownFile(`http/reference/page/${file}`), 'utf8');
}

/** In a checkout nothing is built: the script is bundled when somebody first asks for the page. */
async function bundledScript(): Promise<string> {
  const root = ownFile('../../../');
  // A computed address, because the published package has no bundler and must not look for one.
  const { href } = new URL('scripts/packages/bundle-page.ts', root);
  const bundler = (await import(href)) as { pageScript(root: string): Promise<string> };
  return bundler.pageScript(fileURLToPath(root));
}

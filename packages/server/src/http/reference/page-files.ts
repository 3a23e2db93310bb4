import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { ownFile, ownModule } from '../../own-files.ts';
import type { BrowserModules } from './browser-modules.ts';

export interface PageFile {
  readonly contentType: string;
  readonly text: string;
}

const ownFiles = {
  '': { file: 'index.html', contentType: 'text/html; charset=utf-8' },
  'style.css': { file: 'style.css', contentType: 'text/css; charset=utf-8' },
  'icon.svg': { file: 'icon.svg', contentType: 'image/svg+xml' },
};

/** Reads the page, by the paths of its files below `/docs/`; the page itself is at the empty path. */
export async function readPageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  for (const [path, { file, contentType }] of Object.entries(ownFiles)) {
    const text = await readFile(ownFile(`http/reference/page/${file}`), 'utf8');
    files.set(path, { contentType, text });
  }
  for (const [name, text] of await readModules()) {
    files.set(`modules/${name}`, { contentType: 'text/javascript; charset=utf-8', text });
  }
  return files;
}

async function readModules(): Promise<BrowserModules> {
  const worker = new Worker(ownModule('http/reference/module-worker'), {
    workerData: {
      main: ownModule('http/reference/page/main').href,
      signing: import.meta.resolve('@fieldroster/signing'),
    },
    // Node.js calls its stripping of types experimental when a program asks for it.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [modules] = (await once(worker, 'message')) as [BrowserModules];
  return modules;
}

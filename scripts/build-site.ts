import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installOnce } from './packages/install-once.ts';
import { siteFiles, siteImages, sitePages } from './site/site-pages.ts';

// npm run docs:site    builds the documents into site/dist/html, to be put on any web server

/** Copies all pages and images to the one folder that the generator expects, and other files to `public` in it. */
function collectPages(root: string, site: string): void {
  const folder = join(site, 'dist/pages');
  rmSync(join(site, 'dist'), { recursive: true, force: true });
  for (const path of [...sitePages(root), ...siteImages(root)]) copy(join(root, path), join(folder, path));
  for (const [path, file] of Object.entries(siteFiles)) copy(join(root, file), join(folder, 'public', path));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

function build(site: string): void {
  const generator = join(site, 'node_modules/vitepress/bin/vitepress.js');
  const { status } = spawnSync(process.execPath, [generator, 'build', '.'], { cwd: site, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

const root = process.cwd();
const site = join(root, 'site');
// The site generator is outside the workspace so that npm start does not install it.
installOnce(site, 'what builds the site');
collectPages(root, site);
build(site);

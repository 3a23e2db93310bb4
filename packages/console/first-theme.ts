import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * Adds the script that chooses the theme of the first paint. It arrives with the styles, for which the first paint
 * waits, and long before the modules. It is asynchronous, so that it cannot keep the page blank.
 */
export function firstTheme(): Plugin {
  // Has no types to strip.
  const source = readFileSync(new URL('src/app/first-theme.ts', import.meta.url), 'utf8');
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
  const fileName = `assets/first-theme-${hash}.js`;
  return {
    name: 'first-theme',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml: () => [
      {
        tag: 'script',
        attrs: { src: `/console/${fileName}`, async: true, fetchpriority: 'high' },
        injectTo: 'head',
      },
    ],
  };
}

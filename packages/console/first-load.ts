import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** With all that they import, these make one file: a hundred small ones took most of the time of the first load. */
const firstPages = ['src/app/app.tsx', 'src/app/shell/shell.tsx', 'src/pages/users/users-page.tsx'];

export const firstLoadGroup = {
  name: 'first',
  test: (id: string) => firstPages.some((path) => id.endsWith(`/${path}`)),
};

/** The modules that a browser loads for the first page: the entry, one language, the frame and the list of users. */
const firstModules = ['src/main.tsx', 'src/i18n/zh.ts', ...firstPages];

const bytesMax = 250_000;

/** Fails the build when the first load has more than 250 kB of gzipped JavaScript. */
export function limitFirstLoad(): Plugin {
  return {
    name: 'limit-first-load',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const loaded = new Set<string>();
      const load = (fileName: string) => {
        if (loaded.has(fileName)) return;
        loaded.add(fileName);
        byName.get(fileName)?.imports.forEach(load);
      };
      for (const { fileName, moduleIds } of chunks)
        if (firstModules.some((path) => moduleIds.some((id) => id.endsWith(`/${path}`)))) load(fileName);
      const bytes = [...loaded].reduce((sum, name) => sum + gzipSync(byName.get(name)?.code ?? '').length, 0);
      if (bytes > bytesMax) {
        this.error(
          `the first load has ${bytes} bytes of gzipped JavaScript; at most ${bytesMax} are allowed: load more of it later, by lazyRouteComponent or import()`,
        );
      }
    },
  };
}

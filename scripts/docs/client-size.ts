import { fileURLToPath } from 'node:url';
import { buildSync, type Platform } from 'esbuild';
import { gzipSync } from 'fflate';
import { markdownTable } from './markdown-table.ts';

const folder = fileURLToPath(new URL('../../packages/client', import.meta.url));

let measured: string | undefined;

/**
 * Returns the size that the client adds to a program that uses all of it. Measured once, because bundling takes
 * a second.
 */
export function clientSizeTable(): string {
  measured ??= markdownTable(
    ['bundled (everything, minified)', 'size', 'gzip'],
    [row('for browsers and workers, hashing included', 'browser'), row('for Node.js', 'node')],
  );
  return measured;
}

function row(purpose: string, platform: Platform): string[] {
  const bundle = bundleClient(platform);
  // Avoids zlib, whose output size differs between machines.
  return [purpose, kilobytes(bundle), kilobytes(gzipSync(bundle, { level: 9 }))];
}

/** Returns the whole client as one minified module. */
export function bundleClient(platform: Platform): Uint8Array {
  const { outputFiles } = buildSync({
    stdin: { contents: "export * from '@fieldroster/client';", resolveDir: folder },
    conditions: ['fieldroster-source'],
    bundle: true,
    minify: true,
    format: 'esm',
    legalComments: 'none',
    platform,
    write: false,
  });
  const [bundle] = outputFiles ?? [];
  if (bundle === undefined) throw new Error(`the bundle of the client for ${platform} is empty`);
  return bundle.contents;
}

function kilobytes({ length }: Uint8Array): string {
  return `${(length / 1000).toFixed(1)} kB`;
}

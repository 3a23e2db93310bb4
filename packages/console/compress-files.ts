import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(css|js|svg)$/;

/** Smaller files travel in one packet anyway. */
const bytesMin = 1_000;

/** Writes a gzipped copy beside each file, which the server sends to browsers that accept it. */
export function compressFiles(): Plugin {
  return {
    name: 'compress-files',
    generateBundle: {
      // Vite changes the files in this hook too.
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, output] of Object.entries(bundle)) {
          const content = Buffer.from(output.type === 'chunk' ? output.code : output.source);
          if (!compressible.test(fileName) || content.length < bytesMin) continue;
          const source = gzipSync(content, { level: 9 });
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source });
        }
      },
    },
  };
}

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { signerFiles } from '@fieldroster/contract/signing-scripts';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { askAgain } from './ask-again.ts';
import { callTable } from './call-table.ts';
import { compressFiles } from './compress-files.ts';
import { firstLoadGroup, limitFirstLoad } from './first-load.ts';
import { firstTheme } from './first-theme.ts';

const moduleName = 'virtual:call-table';

/** Gives the page the methods, paths and parameters of its calls, without the schemas of the contract. */
function callTableModule(): Plugin {
  return {
    name: 'call-table',
    resolveId: (id) => (id === moduleName ? `\0${moduleName}` : undefined),
    load: (id) => (id === `\0${moduleName}` ? `export default ${JSON.stringify(callTable)}` : undefined),
  };
}

const signersName = 'virtual:signers';

/** Gives the page the signers of the examples, by language. */
function signersModule(): Plugin {
  const examples = new URL('../../examples/', import.meta.url);
  const load = () => {
    const texts = Object.entries(signerFiles).map(([id, file]) => [
      id,
      readFileSync(new URL(file, examples), 'utf8'),
    ]);
    return `export default ${JSON.stringify(Object.fromEntries(texts))}`;
  };
  return {
    name: 'signers',
    resolveId: (id) => (id === signersName ? `\0${signersName}` : undefined),
    load: (id) => (id === `\0${signersName}` ? load() : undefined),
  };
}

/** Lists the modules of the build, whose licenses the published command carries. */
function listInputs(): Plugin {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  return {
    name: 'list-inputs',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const ids = chunks.flatMap((chunk) => chunk.moduleIds).filter((id) => id.startsWith(root));
      const paths = [...new Set(ids)].map((id) => id.slice(root.length)).sort();
      this.emitFile({ type: 'asset', fileName: 'inputs.json', source: JSON.stringify(paths) });
    },
  };
}

/** `npm run dev` passes calls to a server that runs here. */
const server = process.env.FIELDROSTER_CONSOLE_SERVER ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/console/',
  plugins: [
    react(),
    askAgain(),
    firstTheme(),
    callTableModule(),
    signersModule(),
    listInputs(),
    limitFirstLoad(),
    compressFiles(),
  ],
  resolve: { conditions: ['fieldroster-source', 'module', 'browser', 'import', 'default'] },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [firstLoadGroup] } } },
  },
  server: { proxy: { '/console/api': { target: server, changeOrigin: true } } },
});

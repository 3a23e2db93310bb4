import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

const signer = '../../../examples/csharp/RequestSigner.cs';

const libraries = ['-r:System.Net.Http', '-r:System.Runtime.Serialization'];

testSignerExample({
  toolchain: toolchains.csharp,
  folder: 'csharp',
  vectors: {
    format: 'lines',
    build: (folder) => [['mcs', '-warnaserror', `-out:${folder}/vectors.exe`, signer, 'Vectors.cs']],
    run: (vectors, folder) => ['mono', `${folder}/vectors.exe`, vectors],
  },
  program: {
    build: (folder) => [
      ['mcs', `-out:${folder}/program.exe`, ...libraries, 'RequestSigner.cs', 'CreateBindQuery.cs'],
    ],
    run: (folder) => ['mono', `${folder}/program.exe`],
  },
});

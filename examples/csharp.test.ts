import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

const libraries = ['-r:System.Net.Http', '-r:System.Runtime.Serialization'];

testSignerExample({
  toolchain: toolchains.csharp,
  folder: 'csharp',
  build: (folder) => [
    ['mcs', '-warnaserror', `-out:${folder}/vectors.exe`, 'RequestSigner.cs', 'Vectors.cs'],
    ['mcs', `-out:${folder}/program.exe`, ...libraries, 'RequestSigner.cs', 'CreateBindQuery.cs'],
  ],
  vectorFormat: 'lines',
  runVectors: (vectors, folder) => ['mono', `${folder}/vectors.exe`, vectors],
  runProgram: (folder) => ['mono', `${folder}/program.exe`],
});

import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

testSignerExample({
  toolchain: toolchains.go,
  folder: 'go',
  build: (folder) => [
    ['go', 'vet', './...'],
    ['go', 'build', '-o', `${folder}/`, './...'],
  ],
  vectorFormat: 'json',
  runVectors: (vectors, folder) => [`${folder}/vectors`, vectors],
  runProgram: (folder) => [`${folder}/create_bind_query`],
});

import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

testSignerExample({
  toolchain: toolchains.go,
  folder: 'go',
  vectors: {
    format: 'json',
    build: (folder) => [
      ['go', 'vet', './...'],
      ['go', 'build', '-o', `${folder}/vectors`, '.'],
    ],
    run: (vectors, folder) => [`${folder}/vectors`, vectors],
  },
  program: {
    build: (folder) => [
      ['go', 'vet', './...'],
      ['go', 'build', '-o', `${folder}/`, './...'],
    ],
    run: (folder) => [`${folder}/create_bind_query`],
  },
});

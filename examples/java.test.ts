import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

const sources = ['RequestSigner.java', 'Json.java', 'CreateBindQuery.java', 'Vectors.java'];

testSignerExample({
  toolchain: toolchains.java,
  folder: 'java',
  build: (folder) => [['javac', '-encoding', 'UTF-8', '-Xlint:all', '-Werror', '-d', folder, ...sources]],
  vectorFormat: 'lines',
  runVectors: (vectors, folder) => ['java', '-cp', folder, 'Vectors', vectors],
  runProgram: (folder) => ['java', '-cp', folder, 'CreateBindQuery'],
});

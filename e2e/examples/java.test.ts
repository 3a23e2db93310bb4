import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

const compile = (folder: string) =>
  ['javac', '-encoding', 'UTF-8', '-Xlint:all', '-Werror', '-d', folder] as const;

const signer = '../../../examples/java/RequestSigner.java';

testSignerExample({
  toolchain: toolchains.java,
  folder: 'java',
  vectors: {
    format: 'lines',
    build: (folder) => [[...compile(folder), signer, 'Vectors.java']],
    run: (vectors, folder) => ['java', '-cp', folder, 'Vectors', vectors],
  },
  program: {
    build: (folder) => [[...compile(folder), 'RequestSigner.java', 'Json.java', 'CreateBindQuery.java']],
    run: (folder) => ['java', '-cp', folder, 'CreateBindQuery'],
  },
});

import { quickJava } from '../clients/run-program.ts';
import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

const compile = (folder: string) =>
  [
    'javac',
    ...quickJava.map((flag) => `-J${flag}`),
    ...['-encoding', 'UTF-8', '-Xlint:all', '-Werror', '-d', folder],
  ] as const;

const sources = ['RequestSigner', 'Json', 'CreateBindQuery'].map(
  (name) => `../../../examples/java/${name}.java`,
);

testSignerExample({
  toolchain: toolchains.java,
  folder: 'java',
  vectors: {
    format: 'lines',
    build: (folder) => [[...compile(folder), ...sources, 'Vectors.java']],
    run: (vectors, folder) => ['java', ...quickJava, '-cp', folder, 'Vectors', vectors],
  },
  program: {
    run: (folder) => ['java', ...quickJava, '-cp', folder, 'CreateBindQuery'],
  },
});

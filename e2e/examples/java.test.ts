import { quickJava } from '../clients/run-program.ts';
import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

const compile = (folder: string) =>
  [
    'javac',
    ...quickJava.map((flag) => `-J${flag}`),
    ...['-encoding', 'UTF-8', '-Xlint:all', '-Werror', '-d', folder],
  ] as const;

/** Refuses what the oldest Java that the signer names does not have. */
const forJava8 = ['--release', '8', '-Xlint:-options'] as const;

const sources = ['RequestSigner', 'Json', 'CreateBindQuery'].map(
  (name) => `../../../examples/java/${name}.java`,
);

testSignerExample({
  toolchain: toolchains.java,
  folder: 'java',
  vectors: {
    format: 'lines',
    build: (folder) => [
      [...compile(`${folder}/java8`), ...forJava8, '../../../examples/java/RequestSigner.java'],
      [...compile(folder), ...sources, 'Vectors.java'],
    ],
    run: (vectors, folder) => ['java', ...quickJava, '-cp', folder, 'Vectors', vectors],
  },
  program: {
    run: (folder) => ['java', ...quickJava, '-cp', folder, 'CreateBindQuery'],
  },
});

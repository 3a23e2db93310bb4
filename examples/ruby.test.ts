import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

testSignerExample({
  toolchain: toolchains.ruby,
  folder: 'ruby',
  vectorFormat: 'json',
  runVectors: (vectors) => ['ruby', 'vectors.rb', vectors],
  runProgram: () => ['ruby', 'create_bind_query.rb'],
});

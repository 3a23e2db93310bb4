import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

testSignerExample({
  toolchain: toolchains.python,
  folder: 'python',
  vectorFormat: 'json',
  runVectors: (vectors) => ['python3', 'vectors.py', vectors],
  runProgram: () => ['python3', 'create_bind_query.py'],
});

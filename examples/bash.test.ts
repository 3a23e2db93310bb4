import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

testSignerExample({
  toolchain: toolchains.bash,
  folder: 'bash',
  vectorFormat: 'lines',
  vectorStep: 10,
  runVectors: (vectors) => ['bash', 'vectors.sh', vectors],
  runProgram: () => ['bash', 'create_bind_query.sh'],
});

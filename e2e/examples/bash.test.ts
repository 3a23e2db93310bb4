import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

testSignerExample({
  toolchain: toolchains.bash,
  folder: 'bash',
  vectors: { format: 'lines', step: 25, run: (vectors) => ['bash', 'vectors.sh', vectors] },
  program: { run: () => ['bash', 'create_bind_query.sh'] },
});

import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

testSignerExample({
  toolchain: toolchains.python,
  folder: 'python',
  sendsAgain: true,
  vectors: { format: 'json', run: (vectors) => ['python3', 'vectors.py', vectors] },
  program: { run: () => ['python3', 'create_bind_query.py'] },
});

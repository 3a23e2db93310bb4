import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

testSignerExample({
  toolchain: toolchains.php,
  folder: 'php',
  vectors: { format: 'json', run: (vectors) => ['php', 'vectors.php', vectors] },
  program: { run: () => ['php', 'create_bind_query.php'] },
});

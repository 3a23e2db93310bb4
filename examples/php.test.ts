import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

testSignerExample({
  toolchain: toolchains.php,
  folder: 'php',
  vectorFormat: 'json',
  runVectors: (vectors) => ['php', 'vectors.php', vectors],
  runProgram: () => ['php', 'create_bind_query.php'],
});

import { testSignerExample } from './signer-suite.ts';
import { toolchains } from './toolchains.ts';

testSignerExample({
  toolchain: toolchains.ruby,
  folder: 'ruby',
  vectors: { format: 'json', run: (vectors) => ['ruby', 'vectors.rb', vectors] },
  program: { run: () => ['ruby', 'create_bind_query.rb'] },
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

const granted = 'Permission is hereby granted, free of charge';

test('each third-party package is listed once, with the text of its license', (t) => {
  const root = temporaryFolder(t, {
    'node_modules/plain/package.json': '{"name":"plain","version":"1.0.0","license":"ISC"}',
    'node_modules/plain/LICENSE': 'The plain license.',
    'node_modules/@scope/own/package.json': '{"name":"@scope/own","version":"2.0.0","license":"MIT"}',
    'node_modules/@scope/own/README.md': `# Own\n\n## License\n\n${granted} to readers.`,
    'node_modules/plain/node_modules/inner/package.json':
      '{"name":"inner","version":"3.0.0","license":"MIT","author":"I. Inner"}',
  });
  const inputs = ['a.js', 'lib/b.js'].map((file) => `node_modules/plain/${file}`);
  const notices = thirdPartyNotices(root, [
    ...inputs,
    'packages/cli/dist/main.js',
    'node_modules/@scope/own/index.js',
    'node_modules/plain/node_modules/inner/index.js',
  ]);
  const [, ...entries] = notices.split(/\n-{80}\n\n/);
  assert.deepEqual(
    entries.map((entry) => entry.split('\n')[0]),
    ['@scope/own 2.0.0 (MIT)', 'inner 3.0.0 (MIT)', 'plain 1.0.0 (ISC)'],
  );
  assert.match(entries[0] ?? '', /to readers\./);
  assert.match(entries[1] ?? '', new RegExp(`Copyright \\(c\\) I\\. Inner\n\n${granted}`));
  assert.match(entries[2] ?? '', /The plain license\./);
});

test('a package whose license cannot be determined is refused', (t) => {
  const root = temporaryFolder(t, {
    'node_modules/silent/package.json': '{"name":"silent","version":"1.0.0","license":"Apache-2.0"}',
  });
  assert.throws(() => thirdPartyNotices(root, ['node_modules/silent/index.js']), /silent says nowhere/);
});

test('the list from which the hashes of common passwords were made is named with its license', () => {
  const notices = thirdPartyNotices('', ['packages/server/src/passwords/common-password-hashes.ts']);
  assert.match(notices, new RegExp(`SecLists.*\n\nCopyright \\(c\\) 2025 Daniel Miessler\n\n${granted}`));
});

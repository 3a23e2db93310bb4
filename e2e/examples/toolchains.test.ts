import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingToolchain, type Toolchain, toolchains } from './toolchains.ts';

const all = { FIELDROSTER_REQUIRE_TOOLCHAINS: 'all' };

const unknown: Toolchain = {
  language: 'Fieldlang',
  commands: [
    ['node', '--version'],
    ['fieldlang-compiler', '--version'],
  ],
  packages: 'fieldlang',
  required: false,
};

test('a missing toolchain is named, with the package that contains it', () => {
  const missing = missingToolchain(unknown, {});
  assert.equal(
    missing?.message,
    'Fieldlang: fieldlang-compiler not found (Debian: apt-get install fieldlang)',
  );
  assert.equal(missing.fails, false);
});

test('FIELDROSTER_REQUIRE_TOOLCHAINS=all makes every missing toolchain a failure', () => {
  assert.equal(missingToolchain(unknown, all)?.fails, true);
  assert.throws(() => missingToolchain(unknown, { FIELDROSTER_REQUIRE_TOOLCHAINS: 'yes' }), {
    message: 'FIELDROSTER_REQUIRE_TOOLCHAINS is "yes"; it must be "all" or unset',
  });
});

test('a missing toolchain that the tests require is always a failure', () => {
  assert.equal(missingToolchain({ ...unknown, required: true }, {})?.fails, true);
});

test('the tests require Python and bash', () => {
  const required = Object.values(toolchains).filter((toolchain) => toolchain.required);
  assert.deepEqual(
    required.map(({ language }) => language),
    ['Python', 'bash'],
  );
});

test('a command that exists but fails counts as missing', () => {
  const broken: Toolchain = { ...unknown, commands: [['node', '--no-such-option']] };
  assert.match(missingToolchain(broken, {})?.message ?? '', /^Fieldlang: node not found/);
});

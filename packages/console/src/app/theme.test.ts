import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createTheme } from '@mantine/core';
import { variables } from './theme.ts';

const { light, dark } = variables(createTheme({}) as Parameters<typeof variables>[0]);

/** The colours of the reference at /docs, by the name that its style sheet gives them. */
const ofReference = {
  ground: 'background',
  surface: 'surface',
  sunken: 'sunken',
  line: 'line',
  'field-line': 'field-border',
  text: 'text',
  quiet: 'quiet',
  accent: 'accent',
  'on-accent': 'on-accent',
  'accent-tint': 'tint',
  get: 'info',
  post: 'accent',
  put: 'warning',
  delete: 'danger',
} as const;

/** The colours that the reference alone has. */
const ofReferenceOnly = ['failed-tint'];

const styles = readFileSync(
  new URL('../../../server/src/http/reference/page/style.css', import.meta.url),
  'utf8',
);

const declared = new Map(
  [...styles.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = '', lightColor, darkColor]) => [name, { light: lightColor, dark: darkColor }] as const,
  ),
);

test('the reference at /docs has the colours of the console, in both themes', () => {
  for (const [name, own] of Object.entries(ofReference)) {
    const color = { light: light[`--fr-${own}`], dark: dark[`--fr-${own}`] };
    assert.deepEqual(declared.get(name), color, `--${name} of the reference, --fr-${own} of the console`);
  }
});

test('every colour of the reference is one of the console, or named here as its own', () => {
  assert.deepEqual(
    [...declared.keys()].toSorted(),
    [...Object.keys(ofReference), ...ofReferenceOnly].toSorted(),
  );
});

/**
 * Writes the Postman and Bruno collections from the scripts and the list of requests in this folder.
 *
 * With `--check`, only compares, and exits with 1 when a file is out of step.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brunoCollection } from './bruno-collection.ts';
import { postmanCollection } from './postman-collection.ts';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));

const wanted = new Map([['postman/fieldroster.postman_collection.json', postmanCollection()]]);
for (const [name, text] of brunoCollection()) wanted.set(`bruno/${name}`, text);

/** Includes requests of operations that no longer exist. */
const existing = readdirSync(`${examples}bruno`)
  .filter((name) => name.endsWith('.bru'))
  .map((name) => `bruno/${name}`);

for (const path of new Set([...wanted.keys(), ...existing])) {
  const text = wanted.get(path);
  if (text === read(path)) continue;
  if (process.argv.includes('--check')) {
    console.error(`examples/${path} is out of step with the contract; npm run docs rewrites it`);
    process.exitCode = 1;
  } else if (text === undefined) {
    rmSync(examples + path);
  } else {
    mkdirSync(`${examples}bruno/environments`, { recursive: true });
    writeFileSync(examples + path, text);
  }
}

function read(path: string): string | undefined {
  return existsSync(examples + path) ? readFileSync(examples + path, 'utf8') : undefined;
}

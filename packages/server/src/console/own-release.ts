import { readFileSync } from 'node:fs';
import { ownFile } from '../own-files.ts';

/** Release of this package, as in its `package.json`, which is published beside `dist`. */
export const ownRelease: string = readRelease();

function readRelease(): string {
  const text = readFileSync(ownFile('../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

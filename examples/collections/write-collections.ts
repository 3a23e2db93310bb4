/** Writes the Postman and the Bruno collection from the scripts and the list of requests beside this file. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { brunoCollection } from './bruno-collection.ts';
import { postmanCollection } from './postman-collection.ts';

const examples = new URL('../', import.meta.url);

writeFileSync(new URL('postman/fieldroster.postman_collection.json', examples), postmanCollection());
mkdirSync(new URL('bruno/environments', examples), { recursive: true });
for (const [name, text] of brunoCollection()) writeFileSync(new URL(`bruno/${name}`, examples), text);

import { readFileSync } from 'node:fs';
import { type CollectionRequest, collectionRequests, initialVariables } from './requests.ts';

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const description = [
  'Signs every request in the collection-level pre-request script. Set the variables base_url, app_id and app_secret.',
  'A variable stands for a value: in the query it is percent-encoded, in a body it is escaped as JSON.',
].join('\n\n');

/** Keeps the id as text, because parsing would round it above 2^53. */
const keepUserId = [
  'const created = /"data":\\{"id":(\\d+)/.exec(pm.response.text());',
  "if (created) pm.collectionVariables.set('user_id', created[1]);",
];

/** Returns the lines of a file in this folder. */
export function scriptLines(name: string): readonly string[] {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
}

/** Returns the text of the collection file. */
export function postmanCollection(): string {
  const script = [...scriptLines('sign-request.js'), ...scriptLines('postman-adapter.js')];
  const collection = {
    info: { name: 'Fieldroster', description, schema },
    item: collectionRequests().map(toItem),
    event: [event('prerequest', script)],
    variable: Object.entries(initialVariables).map(toVariable),
  };
  return `${JSON.stringify(collection, null, 2).replace(shortArray, onOneLine)}\n`;
}

/** Matches an array of plain words, which this repository's formatter puts on one line. */
const shortArray = /\[\n *("[^"\\[\]]*"(?:,\n *"[^"\\[\]]*")*)\n *\]/g;

function onOneLine(_array: string, members: string): string {
  return `[${members.replace(/,\n */g, ', ')}]`;
}

function toItem(request: CollectionRequest) {
  const query = request.query.map((key) => ({ key, value: `{{${key}}}` }));
  const search = query.map(({ key, value }) => `${key}=${value}`).join('&');
  const raw = `{{base_url}}${request.path}${search === '' ? '' : `?${search}`}`;
  const url = { raw, host: ['{{base_url}}'], path: request.path.slice(1).split('/'), query };
  const body = { mode: 'raw', raw: request.body.join('\n'), options: { raw: { language: 'json' } } };
  const hasBody = request.body.length > 0;
  return {
    name: request.name,
    request: {
      method: request.method,
      header: hasBody ? [{ key: 'Content-Type', value: 'application/json' }] : [],
      ...(hasBody && { body }),
      url,
      description: request.description,
    },
    ...(request.operation === 'create-user' && { event: [event('test', keepUserId)] }),
  };
}

function toVariable([key, value]: readonly [string, string]) {
  return { key, value, type: key === 'app_secret' ? 'secret' : 'string' };
}

function event(listen: string, exec: readonly string[]) {
  return { listen, script: { type: 'text/javascript', exec } };
}

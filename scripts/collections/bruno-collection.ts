import { scriptLines } from './postman-collection.ts';
import { type CollectionRequest, collectionRequests, initialVariables } from './requests.ts';

/** Returns the files of the collection's folder, by name. */
export function brunoCollection(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const script = [...scriptLines('sign-request.js'), ...scriptLines('bruno-adapter.js')];
  const manifest = { version: '1', name: 'Fieldroster', type: 'collection' };
  files.set('bruno.json', `${JSON.stringify(manifest, null, 2)}\n`);
  files.set('collection.bru', blocks([block('script:pre-request', script)]));
  files.set('environments/local.bru', environment());
  collectionRequests().forEach((request, index) => {
    files.set(`${request.operation}.bru`, requestFile(request, index + 1));
  });
  return files;
}

function environment(): string {
  const variables = Object.entries(initialVariables).filter(([name]) => name !== 'app_secret');
  const lines = variables.map(([name, value]) => `${name}: ${value}`.trimEnd());
  return blocks([block('vars', lines), 'vars:secret [\n  app_secret\n]\n']);
}

function requestFile(request: CollectionRequest, seq: number): string {
  const query = request.query.map((name) => `${name}={{${name}}}`).join('&');
  const url = `{{base_url}}${request.path}${query === '' ? '' : `?${query}`}`;
  const hasBody = request.body.length > 0;
  const method = [`url: ${url}`, `body: ${hasBody ? 'json' : 'none'}`, 'auth: none'];
  const parameters = request.query.map((name) => `${name}: {{${name}}}`);
  return blocks([
    block('meta', [`name: ${request.name}`, 'type: http', `seq: ${seq}`]),
    block(request.method.toLowerCase(), method),
    ...(parameters.length > 0 ? [block('params:query', parameters)] : []),
    ...(hasBody ? [block('body:json', request.body)] : []),
    ...(request.operation === 'create-user' ? keepUserId() : []),
    // The script already encodes the query.
    block('settings', ['encodeUrl: false']),
    block('docs', [request.description]),
  ]);
}

/** Keeps the id as text, because parsing would round it above 2^53. */
function keepUserId(): readonly string[] {
  const after = [
    'const created = /"data":\\{"id":(\\d+)/.exec(res.getBody());',
    "if (created) bru.setVar('user_id', created[1]);",
  ];
  return [
    block('script:pre-request', ['req.disableParsingResponseJson();']),
    block('script:post-response', after),
  ];
}

function block(name: string, lines: readonly string[]): string {
  const indented = lines.map((line) => (line === '' ? '' : `  ${line}`));
  return `${name} {\n${indented.join('\n')}\n}\n`;
}

function blocks(texts: readonly string[]): string {
  return texts.join('\n');
}

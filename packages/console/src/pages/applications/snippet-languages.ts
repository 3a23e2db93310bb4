import signers from 'virtual:signers';
import { type ScriptRequest, scriptLanguages } from '@fieldroster/contract/signing-scripts';

/** A language in which the page writes a first call. */
export interface SnippetLanguage {
  readonly id: string;
  readonly name: string;
  readonly fileName: string;
  /** The command that runs it. */
  readonly command: string;
  readonly write: (request: ScriptRequest) => string;
}

/** The TypeScript client signs requests itself. */
const typescript: SnippetLanguage = {
  id: 'typescript',
  name: 'TypeScript',
  fileName: 'call.ts',
  command: 'node call.ts',
  write: ({ origin, target }) => `import { FieldrosterClient } from '@fieldroster/client';

const { FIELDROSTER_APP_ID: appId, FIELDROSTER_APP_SECRET: appSecret } = process.env;
if (!appId || !appSecret) throw new Error('set FIELDROSTER_APP_ID and FIELDROSTER_APP_SECRET');

const url = ${JSON.stringify(origin + basePathOf(target))};
const client = new FieldrosterClient({ url, appId, appSecret });
console.log(await client.listUsers({ limit: 1 }));
`,
};

function basePathOf(target: string): string {
  return target.slice(0, target.lastIndexOf('/users'));
}

/** The languages of `examples/`, and TypeScript. */
export const snippets: readonly SnippetLanguage[] = [
  ...scriptLanguages.map(({ id, name, fileName, command, write }) => ({
    id,
    name,
    fileName,
    command,
    write: (request: ScriptRequest) => write(request, signers[id] ?? ''),
  })),
  typescript,
];

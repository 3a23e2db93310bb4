/** A generator of clients, and a program that uses its client. */
interface Generator {
  readonly name: string;
  /** The command with its arguments, which reads `openapi.json` in its folder. */
  readonly command: readonly [name: string, ...arguments_: string[]];
  /** Creates a user and prints the code of the answer and the user's name, as JSON. */
  readonly program: string;
}

const connection = "import { url, signed } from './connection.ts';";

export const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    command: ['openapi-typescript', 'openapi.json', '-o', 'openapi-typescript.d.ts'],
    program: `import createClient from 'openapi-fetch';
      import type { components, paths } from './openapi-typescript.d.ts';
      ${connection}
      const client = createClient<paths>({ baseUrl: url, fetch: signed });
      const username = 'by.openapi-typescript';
      const created = await client.POST('/user', { body: { username, password: 'Gr33n-Tea' } });
      const { data } = await client.GET('/user', { params: { query: { username } } });
      const user: components['schemas']['User'] | undefined = data?.data;
      const code: number | undefined = created.data?.code;
      console.log(JSON.stringify([code, user?.username]));`,
  },
  {
    name: 'hey-api',
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'hey-api', '-c', '@hey-api/client-fetch'],
    program: `import { createUser, queryUser, type User } from './hey-api/index.ts';
      import { client } from './hey-api/client.gen.ts';
      ${connection}
      client.setConfig({ baseUrl: url, fetch: signed });
      const username = 'by.hey-api';
      const created = await createUser({ body: { username, password: 'Gr33n-Tea' } });
      const { data } = await queryUser({ query: { username } });
      const user: User | undefined = data?.data;
      const code: number | undefined = created.data?.code;
      console.log(JSON.stringify([code, user?.username]));`,
  },
  {
    name: 'swagger-typescript-api',
    command: ['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', '.', '-n', 'swagger.ts'],
    program: `import { Api, type User } from './swagger.ts';
      ${connection}
      const api = new Api({ baseUrl: url, customFetch: signed });
      const username = 'by.swagger-typescript-api';
      const created = await api.user.createUser({ username, password: 'Gr33n-Tea' });
      const { data } = await api.user.queryUser({ username });
      const user: User | undefined = data.data;
      const code: number = created.data.code;
      console.log(JSON.stringify([code, user?.username]));`,
  },
];

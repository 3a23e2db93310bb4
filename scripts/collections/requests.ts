import { operations } from '@fieldroster/contract';

/** A request of the collections; `{{name}}` stands for a variable's value. */
export interface CollectionRequest {
  /** The operation's name, as in the contract. */
  readonly operation: string;
  readonly name: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body: readonly string[];
}

/** The first values of a collection's variables. The user who imports it sets the credentials. */
export const initialVariables: Readonly<Record<string, string>> = {
  base_url: 'http://127.0.0.1:8080',
  app_id: '',
  app_secret: '',
  username: 'li.wei',
  real_name: 'Li Wei',
  password: 'Gr33n-Tea',
  user_id: '1',
  role_id: '1',
  org_id: '1',
  store_code: 'N-001',
};

/** The fields in the request of each operation that is not a binding. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  'create-user': ['username', 'real_name', 'password'],
  'query-user': ['username'],
  'update-user': ['id', 'real_name'],
  'batch-update-user-stores': ['username', 'real_name', 'store_codes'],
};

const bindings: Readonly<Record<string, readonly string[]>> = {
  role: ['user_id', 'role_id'],
  org: ['user_id', 'org_id'],
  store: ['user_id', 'store_code'],
};

/** How to write each field in a body; by default, as a string with the variable of the same name. */
const bodyText: Readonly<Record<string, string>> = {
  id: '{{user_id}}',
  user_id: '{{user_id}}',
  role_id: '{{role_id}}',
  org_id: '{{org_id}}',
  store_codes: '["{{store_code}}"]',
};

/** The operations in a collection. The script also signs requests that a user adds for others. */
const shown = [
  operations.createUser,
  operations.queryUser,
  operations.updateUser,
  operations.bindUserRole,
  operations.queryUserRole,
  operations.unbindUserRole,
  operations.bindUserOrg,
  operations.unbindUserOrg,
  operations.bindUserStore,
  operations.unbindUserStore,
  operations.queryUserStores,
  operations.batchUpdateUserStores,
];

export function collectionRequests(): readonly CollectionRequest[] {
  return shown.map(({ name, method, path, summary, description }) => {
    const fields = fieldsOf[name] ?? fieldsOfBinding(name);
    const hasBody = method === 'POST' || method === 'PUT';
    return {
      operation: name,
      name: summary,
      description,
      method,
      path,
      query: hasBody ? [] : fields,
      body: hasBody ? bodyOf(fields) : [],
    };
  });
}

function bodyOf(fields: readonly string[]): readonly string[] {
  const members = fields.map((field) => `  "${field}": ${bodyText[field] ?? `"{{${field}}}"`}`);
  return ['{', ...members.join(',\n').split('\n'), '}'];
}

function fieldsOfBinding(name: string): readonly string[] {
  if (name.startsWith('query-')) return ['user_id'];
  const fields = bindings[name.split('-').at(-1) ?? ''];
  if (fields === undefined)
    throw new Error(`no fields are known for ${name}; add them to scripts/collections/requests.ts`);
  return fields;
}

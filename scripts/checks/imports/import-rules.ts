/** The imports that some files may have. A `*` at the end of a pattern stands for any ending. */
export interface ImportRule {
  /** The files that the rule applies to, as the message names them. */
  readonly name: string;
  readonly files: readonly string[];
  /** The imports that the rule covers. */
  readonly guarded: readonly string[];
  /** The covered imports that are allowed. */
  readonly allowed: readonly string[];
  /** Files that are exempt from the rule. */
  readonly except?: readonly string[];
}

const ours = ['@fieldroster/*', 'fieldroster', 'fieldroster/*'];

/** The package that reads and writes the files of imports and exports. */
const tables = ['@fieldroster/tables', '@fieldroster/tables/*'];

const contract = ['@fieldroster/contract', '@fieldroster/contract/*'];

/** Commands that open or serve the database: the only command-line files that may import the server's code. */
const commandsThatOpenTheDatabase = [
  ...[
    'app',
    'backup',
    'calls',
    'follow-calls',
    'claims',
    'config',
    'copy',
    'doctor',
    'key',
    'migrate',
    'operator',
    'org',
    'restore',
    'role',
    'serve',
    'store',
    'tenant',
    'who',
    'why',
  ].map((name) => `commands/${name}.ts`),
  'user/erase-command.ts',
  'app/*',
  'config/*',
  'directory/*',
  'import-lists/*',
  'operator/*',
  'serve/*',
].map((path) => `packages/cli/src/${path}`);

/** Rules between packages: a lower layer never imports a higher one. */
export const packageRules: readonly ImportRule[] = [
  ...['signing', 'contract', 'client', 'tables', 'console', 'server', 'cli'].map(leaveOnlyByName),
  inPackage('signing', []),
  inPackage('contract', []),
  inPackage('client', ['@fieldroster/signing', ...contract]),
  inPackage('tables', ['@fieldroster/client', ...contract]),
  inPackage('console', ['@fieldroster/client', ...tables, ...contract, '@fieldroster/signing']),
  inPackage('server', ['@fieldroster/signing', ...contract]),
  {
    ...inPackage('cli', ['@fieldroster/client', ...tables, ...contract, '@fieldroster/signing']),
    except: commandsThatOpenTheDatabase,
  },
  {
    name: 'signing, which runs in browsers too,',
    files: ['packages/signing/src/*'],
    guarded: ['node:*'],
    allowed: [],
    except: ['packages/signing/src/crypto/node.ts'],
  },
  { name: 'contract', files: ['packages/contract/src/*'], guarded: ['node:*'], allowed: [] },
];

function inPackage(name: string, allowed: readonly string[]): ImportRule {
  return { name, files: [`packages/${name}/*`], guarded: ours, allowed };
}

/** Forbids relative paths into another package, which would bypass its exports and these rules. */
function leaveOnlyByName(name: string): ImportRule {
  return {
    name: `a relative path of ${name}`,
    files: [`packages/${name}/*`],
    guarded: ['packages/*', 'scripts/*', 'e2e/*', 'bench/*'],
    allowed: [`packages/${name}/*`],
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Whether the tests run as root, who may do everything. */
export const isRoot = process.getuid?.() === 0;

/** The id of the user and the group that own nothing. */
export const nobody = 65_534;

/** The URL of the module of each function that a program calls, by the function's name. */
type Imports = Readonly<Record<string, string>>;

/** Runs a program in a process without root's rights, and returns what it prints. */
export async function runWithoutRoot(imports: Imports, program: string): Promise<string> {
  const loaded = Object.entries(imports).map(
    ([name, url]) => `const { ${name} } = await import(${JSON.stringify(url)});`,
  );
  const script = `
    ${loaded.join('\n')}
    if (process.getuid() === 0) { process.setgroups([]); process.setgid(${nobody}); process.setuid(${nobody}); }
    ${program}`;
  const flags = ['--conditions=fieldroster-source', '--input-type=module', '-e', script];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return printed.trim();
}

/**
 * Returns why a process without root's rights cannot do something, as `<name of the error>: <its message>`.
 *
 * @param work an expression
 */
export function refusalWithoutRoot(imports: Imports, work: string): Promise<string> {
  return runWithoutRoot(
    imports,
    `await Promise.try(() => ${work}).then(
      () => console.log('it was done'),
      ({ name, message }) => console.log(name + ': ' + message),
    );`,
  );
}

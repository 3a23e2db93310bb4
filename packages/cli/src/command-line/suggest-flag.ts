/** What other programs call a flag, without the hyphens, and what it may be called here; only flags of the command count. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  address: ['host', 'url'],
  bind: ['host'],
  'connection-string': ['database'],
  db: ['database'],
  dir: ['data'],
  dsn: ['database'],
  endpoint: ['url'],
  file: ['from', 'to', 'result', 'config'],
  folder: ['data'],
  input: ['from'],
  key: ['app-id', 'master-key-file'],
  listen: ['host', 'port'],
  name: ['user', 'store', 'app', 'operator'],
  out: ['to', 'result'],
  output: ['to', 'result'],
  path: ['data'],
  pg: ['database'],
  postgres: ['database'],
  server: ['url'],
  sqlite: ['data'],
  verbose: ['json'],
};

/**
 * Returns the flags of a command that were probably meant by one that it does not have; none if that is not clear. A
 * misspelt flag is not looked for.
 *
 * @param flag with its hyphens
 * @param known the flags of the command, with their hyphens
 */
export function suggestFlags(flag: string, known: readonly string[]): readonly string[] {
  const name = flag.replace(/^--/, '').replaceAll('_', '-').toLowerCase();
  const names = known.map((each) => each.replace(/^--/, ''));
  const named = (otherNames[name] ?? []).filter((other) => names.includes(other));
  const words = name.split('-');
  const found =
    [
      names.filter((other) => plain(other) === plain(name)),
      named,
      longest(names.filter((other) => other.split('-').every((word) => words.includes(word)))),
      names.filter((other) => words.every((word) => other.split('-').includes(word))),
    ].find((candidates) => candidates.length > 0 && candidates.length <= suggestedMax) ?? [];
  return found.map((other) => `--${other}`);
}

const suggestedMax = 4;

function plain(name: string): string {
  return name.replaceAll('-', '');
}

function longest(names: readonly string[]): readonly string[] {
  const [first] = names.toSorted((a, b) => b.length - a.length);
  return first === undefined ? [] : [first];
}

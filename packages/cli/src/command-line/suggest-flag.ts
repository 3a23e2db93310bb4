import { suggestName } from '../config/suggest-name.ts';

/** What other programs call a flag, without the hyphens, and what it may be called here; only flags of the command count. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  address: ['host', 'url'],
  bind: ['host'],
  'connection-string': ['database'],
  db: ['database'],
  dir: ['data'],
  dsn: ['database'],
  endpoint: ['url'],
  file: ['from', 'to'],
  folder: ['data'],
  input: ['from'],
  key: ['app-id', 'master-key-file'],
  listen: ['host', 'port'],
  name: ['search', 'user', 'store', 'app', 'operator'],
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
 * Returns the flags of a command that were probably meant by one that it does not have; none if that is not clear.
 *
 * @param flag with its hyphens
 * @param known the flags of the command, with their hyphens
 */
export function suggestFlags(flag: string, known: readonly string[]): readonly string[] {
  const name = flag.replace(/^--/, '').replaceAll('_', '-').toLowerCase();
  const names = known.map((each) => each.replace(/^--/, ''));
  const others = otherNames[name];
  const named = (others ?? []).filter((other) => names.includes(other));
  // The other flags of a list are filters, none of which is a name.
  if (named.includes('search')) return ['--search'];
  const words = name.split('-');
  const found =
    [
      names.filter((other) => plain(other) === plain(name)),
      named,
      longest(names.filter((other) => other.split('-').every((word) => words.includes(word)))),
      vague.includes(name) ? [] : namesWith(words, names),
      others === undefined ? misspelt(name, names) : [],
    ].find((candidates) => candidates.length > 0 && candidates.length <= suggestedMax) ?? [];
  return found.map((other) => `--${other}`);
}

const suggestedMax = 4;

/** Words that are in the names of flags with quite different meanings. */
const vague = ['file', 'name'];

function misspelt(name: string, names: readonly string[]): readonly string[] {
  const nearest = suggestName(name, names);
  return nearest === undefined ? [] : [nearest];
}

function namesWith(words: readonly string[], names: readonly string[]): readonly string[] {
  return names.filter((other) => words.every((word) => other.split('-').includes(word)));
}

function plain(name: string): string {
  return name.replaceAll('-', '');
}

function longest(names: readonly string[]): readonly string[] {
  const [first] = names.toSorted((a, b) => b.length - a.length);
  return first === undefined ? [] : [first];
}

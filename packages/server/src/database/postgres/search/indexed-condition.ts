import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { searchedText } from '../../migrations/steps/postgres-user-search.ts';
import { caseVariants } from '../../queries/lists/search-pattern.ts';
import type { Session } from '../../queries/session.ts';
import { type IndexedLetter, type LetterForm, readIndexedLetters } from './indexed-letters.ts';
import { searchExpression } from './search-expression.ts';

type Condition = RawBuilder<SqlBool>;

/** A part of the searched text, as a condition that the index can look up. */
interface Piece {
  readonly length: number;
  readonly condition: Condition;
}

/** A piece of this many letters is rare enough. A longer one may cost more statements of the index than it saves. */
const enoughLetters = 6;

/**
 * Returns a condition that every user with the text meets, and that the trigram index looks up: a piece of the text, in
 * the forms that the index tells apart. Returns `undefined` if the index knows no piece of three letters or digits.
 */
export async function indexedCondition(db: Session['db'], text: string): Promise<Condition | undefined> {
  const letters = await readIndexedLetters(db, caseVariants(text));
  let longest: Piece | undefined;
  // The first ones read the index once.
  for (const find of [spelledIn(1), expressed, spelledIn(2), spelledIn(4), spelledIn(8)]) {
    const piece = find(letters);
    if (piece !== undefined && piece.length > (longest?.length ?? 0)) longest = piece;
    if (longest !== undefined && longest.length >= Math.min(enoughLetters, letters.length)) break;
  }
  return longest?.condition;
}

/** Finds the longest piece that has at most this many spellings, and looks up each of them. */
function spelledIn(spellingsMax: number): (letters: readonly IndexedLetter[]) => Piece | undefined {
  return (letters) => {
    const runs = longestRuns(letters, spellingsMax, ({ forms }) => forms.length);
    const run = longest(runs.filter((letters) => spellingsOf(letters).every(hasTrigram)));
    return run && { length: run.length, condition: anyOf(spellingsOf(run).map(ignoringAsciiCase)) };
  };
}

/**
 * Finds the longest piece for a regular expression, which looks up both cases of all its letters at once. `pg_trgm` knows
 * only some letters in one.
 */
function expressed(letters: readonly IndexedLetter[]): Piece | undefined {
  const runs = longestRuns(letters, 1, ({ isExpressible }) => (isExpressible ? 1 : Number.POSITIVE_INFINITY));
  const run = longest(
    runs.filter((letters) => hasTrigram(letters.flatMap(({ forms }) => forms.slice(0, 1)))),
  );
  if (run === undefined) return undefined;
  const expression = searchExpression(run.map(({ variants }) => variants));
  return { length: run.length, condition: sql`${searchedText} ~ ${expression}` };
}

/** Returns the longest run from each letter whose numbers, multiplied, are at most `productMax`. */
function longestRuns(
  letters: readonly IndexedLetter[],
  productMax: number,
  numberOf: (letter: IndexedLetter) => number,
): IndexedLetter[][] {
  return letters.map((_, start) => {
    const run: IndexedLetter[] = [];
    let product = 1;
    for (const letter of letters.slice(start)) {
      product *= letter.isContextual ? Number.POSITIVE_INFINITY : numberOf(letter);
      if (product > productMax) break;
      run.push(letter);
    }
    return run;
  });
}

function longest(runs: readonly IndexedLetter[][]): IndexedLetter[] | undefined {
  return runs.toSorted((one, other) => other.length - one.length)[0];
}

function spellingsOf(letters: readonly IndexedLetter[]): LetterForm[][] {
  return letters.reduce<LetterForm[][]>(
    (spellings, { forms }) => spellings.flatMap((spelling) => forms.map((form) => [...spelling, form])),
    [[]],
  );
}

/**
 * Returns whether the index knows three letters or digits in a row, or two and that the word begins or ends there.
 * Without a trigram, it would read all its entries.
 */
function hasTrigram(spelling: readonly LetterForm[]): boolean {
  return /www|ww-|-ww/.test(spelling.map(({ isWord }) => (isWord ? 'w' : '-')).join(''));
}

/** The columns have the collation C, in which `ilike` ignores the case of ASCII letters alone, whatever the index does. */
function ignoringAsciiCase(spelling: readonly LetterForm[]): Condition {
  const text = spelling.map(({ character }) => character).join('');
  return sql`${searchedText} ilike ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}`;
}

function anyOf(conditions: readonly Condition[]): Condition {
  return sql`(${sql.join(conditions, sql` or `)})`;
}

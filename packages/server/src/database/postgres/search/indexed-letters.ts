import { sql } from 'kysely';
import type { Session } from '../../queries/session.ts';

/** A way to write a letter that the search must look up on its own. */
export interface LetterForm {
  readonly character: string;
  /** Whether the index takes it for a part of a word; anything else only separates words. */
  readonly isWord: boolean;
}

/** A letter of a searched text, as the index knows it. */
export interface IndexedLetter {
  /** The characters that the letter matches. */
  readonly variants: readonly string[];
  /** One of the variants for each that `ilike`, by the collation C, or the index tells apart. */
  readonly forms: readonly LetterForm[];
  /** Whether `pg_trgm` finds the letter in all its variants by a regular expression. */
  readonly isExpressible: boolean;
  /** Whether the index has the letter in another form beside some letters: for ICU, a Σ at the end of a word is `ς`. */
  readonly isContextual: boolean;
}

/** The trigrams of a character within a word, at its end, and before an accent. */
interface Trigrams {
  readonly inside: readonly string[];
  readonly final: readonly string[];
  readonly accented: readonly string[];
  readonly alone: readonly string[];
}

/**
 * Asks the database how the index has each letter. Its lower case follows the locale of the database, which may not be
 * Unicode's simple one: in Turkish, `I` becomes `ı`, and with the locale C, only ASCII letters belong to words.
 *
 * @param letters the characters that each letter matches
 */
export async function readIndexedLetters(
  db: Session['db'],
  letters: readonly (readonly string[])[],
): Promise<readonly IndexedLetter[]> {
  const { rows } = await sql<Trigrams & { character: string }>`
    select character, show_trgm('a' || character || 'b') as inside, show_trgm('a' || character) as final,
      show_trgm('a' || character || ${'\u0301'}) as accented, show_trgm(character) as alone
    from unnest(cast(${[...new Set(letters.flat())]} as text[])) as character`.execute(db);
  const trigrams = new Map(rows.map(({ character, ...trigramsOf }) => [character, trigramsOf]));
  return letters.map((variants) => indexedLetter(variants, trigrams));
}

function indexedLetter(variants: readonly string[], trigrams: ReadonlyMap<string, Trigrams>): IndexedLetter {
  const alike = (place: keyof Trigrams) =>
    Map.groupBy(variants, (variant) => String(trigrams.get(variant)?.[place]));
  const grouping = (place: keyof Trigrams) => JSON.stringify([...alike(place).values()]);
  return {
    variants,
    forms: [...alike('inside').values()].flatMap(formsByAscii).map((character) => ({
      character,
      isWord: (trigrams.get(character)?.alone.length ?? 0) > 0,
    })),
    isExpressible: alike('inside').size === 1 && variants.every(isSimple) && !isLoneUpperCase(variants),
    isContextual: grouping('inside') !== grouping('final') || grouping('inside') !== grouping('accented'),
  };
}

/** Returns one of the characters for each that differs from the others in more than the case of ASCII letters. */
function formsByAscii(characters: readonly string[]): string[] {
  return [...Map.groupBy(characters, asciiLowerCase).values()].flatMap((alike) => alike.slice(0, 1));
}

function asciiLowerCase(character: string): string {
  return /^[A-Z]$/.test(character) ? character.toLowerCase() : character;
}

/** PostgreSQL lists the characters of a regular expression for `pg_trgm` only up to this one, `MAX_SIMPLE_CHR`. */
const lastSimple = 0x7ff;

function isSimple(character: string): boolean {
  return (character.codePointAt(0) ?? 0) <= lastSimple;
}

/** `İ`: `pg_trgm` leaves upper case out of regular expressions, because it expects the lower case beside it. */
function isLoneUpperCase([first = '', ...others]: readonly string[]): boolean {
  return others.length === 0 && first.toLowerCase() !== first;
}

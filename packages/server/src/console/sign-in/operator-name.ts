import type { OperatorReader } from '../../database/database.ts';
import { withoutIgnorable } from '../../directory/invisible-character.ts';

/**
 * Returns the name of another operator that is easily taken for this one: it differs only in case, in spaces, in
 * characters that are drawn as nothing, or in compatible forms of the same characters. Letters that look alike in other
 * scripts are not compared.
 */
export async function findOperatorTwin(
  operators: Pick<OperatorReader, 'list'>,
  name: string,
): Promise<string | undefined> {
  const names = (await operators.list()).map(({ username }) => username);
  return names.find((other) => other !== name && plain(other) === plain(name));
}

function plain(name: string): string {
  const compatible = withoutIgnorable(name).replaceAll(blankBraille, ' ').normalize('NFKC');
  // Lower case first: the capital ẞ is its own upper case, while that of ß is SS.
  const folded = compatible.toLowerCase().toUpperCase().toLowerCase();
  return (
    folded
      .replaceAll(finalSigma, 'σ')
      // An i loses its own dot below another one, so that both letters look the same. İ in lower case has two.
      .replaceAll('i\u0307', 'i')
      .normalize('NFKC')
      // Pages show several spaces as one.
      .split(' ')
      .filter((part) => part !== '')
      .join(' ')
  );
}

const blankBraille = '\u2800';

/** Lower case makes it of a sigma that ends a word, so it depends on what follows. */
const finalSigma = 'ς';

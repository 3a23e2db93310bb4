/** A text is not JSON, or breaks a limit. The message completes a sentence about it, and quotes none of it. */
export class JsonProblem extends Error {
  override readonly name = 'JsonProblem';
}

export function tooDeep(levelsMax: number): JsonProblem {
  return new JsonProblem(`is nested more than ${levelsMax} levels deep; no operation needs more than a few`);
}

/** The parser's own words quote the text, which may hold a password; only the place is passed on. */
export function positionOf(error: unknown): number | undefined {
  if (!(error instanceof SyntaxError)) return undefined;
  const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(error.message)?.[1];
  return position === undefined ? undefined : Number(position);
}

/** @param position in UTF-16 code units, from 0; left out where the parser tells none */
export function notJson(position: number | undefined): JsonProblem {
  return new JsonProblem(
    position === undefined
      ? 'is not JSON: it ends too early, or has a stray character'
      : `is not JSON: it breaks at character ${position}`,
  );
}

/** Prints the problems of a check that was run on its own, or one line when there are none. */
export function reportProblems(problems: readonly string[], allIsWell: string): void {
  console.log(problems.length === 0 ? allIsWell : problems.join('\n'));
  if (problems.length > 0) process.exitCode = 1;
}

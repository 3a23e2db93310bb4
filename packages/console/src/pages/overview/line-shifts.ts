/**
 * Returns how far to shift each line, in steps, so that no line hides another. Two lines hide each other where they have
 * the same value in the same place. At zero, where most lines are most of the time, they may.
 *
 * @param lines the values of each line, point by point
 */
export function lineShifts(lines: readonly (readonly number[])[]): number[] {
  const shifts: number[] = [];
  for (const [index, line] of lines.entries()) {
    const taken = new Set(shifts.filter((_, earlier) => meets(line, lines[earlier] ?? [])));
    let shift = 0;
    while (taken.has(shift)) shift += 1;
    shifts[index] = shift;
  }
  return shifts;
}

function meets(one: readonly number[], other: readonly number[]): boolean {
  return one.some((value, point) => value > 0 && value === other[point]);
}

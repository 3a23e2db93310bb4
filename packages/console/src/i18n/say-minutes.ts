/** Says a length of time in days and hours, or in hours and minutes; leaves out zeros. */
export function sayMinutes(minutes: number, units: Readonly<Record<'d' | 'h' | 'min', string>>): string {
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  const parts = [
    [days, units.d],
    [hours, units.h],
    // Beside days, minutes do not matter.
    [days > 0 ? 0 : minutes % 60, units.min],
  ] as const;
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count}${unit}`])).join(' ');
}

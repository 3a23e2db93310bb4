/** Set to `full` by `npm run test:faults` and `npm run test:attack`. */
const scaleVariable = 'FIELDROSTER_TEST_SCALE';

/** Whether tests run at full size. `npm test` runs a smaller size of the same tests. */
export const fullScale = process.env[scaleVariable] === 'full';

/** Chooses a test's size: `bounded` under `npm test`, `full` otherwise. */
export function atScale<T>({ bounded, full }: { readonly bounded: T; readonly full: T }): T {
  return fullScale ? full : bounded;
}

/** Limits of a slice. A single value that weighs more is a slice by itself. */
export interface SliceLimits<Value> {
  readonly countMax: number;
  readonly weightMax: number;
  readonly weightOf: (value: Value) => number;
}

/** Splits values into slices that take about the same time to process. */
export function* slicesOf<Value>(
  values: Iterable<Value>,
  { countMax, weightMax, weightOf }: SliceLimits<Value>,
): Generator<Value[]> {
  let slice: Value[] = [];
  let weight = 0;
  for (const value of values) {
    const more = weightOf(value);
    if (slice.length === countMax || (slice.length > 0 && weight + more > weightMax)) {
      yield slice;
      [slice, weight] = [[], 0];
    }
    slice.push(value);
    weight += more;
  }
  if (slice.length > 0) yield slice;
}

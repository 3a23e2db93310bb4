/** Columns of the latency histogram: calls up to each bound of `latencyBoundsMs`, and slower ones. */
export const histogramColumns = [
  'up_to_1_ms',
  'up_to_5_ms',
  'up_to_25_ms',
  'up_to_100_ms',
  'up_to_250_ms',
  'up_to_1_s',
  'up_to_5_s',
  'slower',
] as const;

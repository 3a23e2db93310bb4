/** Servers write their counts once a minute. A hidden tab asks for nothing. */
export const live = { refetchInterval: 15_000, refetchIntervalInBackground: false } as const;

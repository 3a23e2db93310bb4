/** What one process reports of its use of a rate limit; see `rates/shared-limit.ts`. */
interface Use {
  readonly demandPerSecond: number;
  readonly acceptedTotal: number;
}

/** Reports by process, then by APPID. */
type Reports = Readonly<Record<string, Readonly<Record<string, Use>>>>;

/** Where the processes of all nodes leave their reports for each other. Losing them costs a few seconds of accuracy. */
export interface RateReportBoard {
  /** Leaves the reports of this node in one statement, and returns those of other nodes' processes. */
  exchange(ofThisNode: Reports): Promise<Reports>;
}

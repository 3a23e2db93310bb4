/** The use of one application's rate limit, as one process reports it to the others; see `rates/shared-limit.ts`. */
export interface RateUse {
  /** Requests a second in the last period, including refused ones. */
  readonly demandPerSecond: number;
  /** Requests accepted since the process started. */
  readonly acceptedTotal: number;
}

/** The report of one process, by APPID. */
export type RateReport = Readonly<Record<string, RateUse>>;

/** The reports of several processes, by an id that no two processes share. */
export type RateReports = Readonly<Record<string, RateReport>>;

/**
 * Stores the reports that the processes of all nodes make for each other. Losing them costs a few seconds of accuracy.
 */
export interface RateReportBoard {
  /** Stores this node's reports and returns those of other nodes' processes, in one statement. */
  exchange(ofThisNode: RateReports): Promise<RateReports>;
}

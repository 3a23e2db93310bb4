/** A server process that is ready. */
export interface Serving {
  readonly pid: number;
  readonly url: string;
  /** Writes a CPU profile of what the process does meanwhile; only our own programs can. */
  profile?<T>(file: string, work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

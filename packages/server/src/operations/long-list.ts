/** The entries of a list, each slice of which is read when it is asked for. */
export interface OpenList {
  /** How many entries there are, apart from those removed meanwhile. */
  readonly count: number;
  readonly slices: AsyncIterable<readonly object[]>;
}

/** The answer to a read that ends with a list too long to hold. Nothing of the list is read before it is opened. */
export class LongList<Data extends object> {
  /** The answer with an empty list. */
  readonly data: Data;
  readonly open: () => Promise<OpenList>;

  constructor(data: Data, open: () => Promise<OpenList>) {
    this.data = data;
    this.open = open;
  }
}

/** The answer to a read, whose ETag header carries the revision of what was read. */
export class WithRevision<Data> {
  readonly data: Data;
  readonly revision: bigint;

  constructor(data: Data, revision: bigint) {
    this.data = data;
    this.revision = revision;
  }
}

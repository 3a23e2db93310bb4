import { Socket } from 'node:net';

/**
 * A socket that sends what is written in one iteration of the event loop with one system call. A call that wakes the database
 * takes as long as everything else that the driver does for a statement.
 */
export class CorkedSocket extends Socket {
  override cork(): void {
    super.cork();
    if (this.writableCorked > 1) return;
    super.cork();
    process.nextTick(() => this.uncork());
  }
}

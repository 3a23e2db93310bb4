import type { Socket } from 'node:net';

/**
 * Returns how many bytes the operating system has taken from a connection. Once the system's buffer is full, the number
 * grows only while the other end reads. Node.js itself reads these undocumented properties to see whether a write makes
 * progress.
 */
export function acceptedBytes(socket: Socket): number {
  const { bytesWritten = 0, writeQueueSize = 0 } = Reflect.get(socket, '_handle') ?? {};
  return bytesWritten - writeQueueSize;
}

import type { Socket } from 'node:net';

/**
 * Returns how many bytes the operating system has taken from a connection. They grow only while the other end reads, once
 * the system's own buffer is full. Node.js tells from these undocumented properties too whether a write goes on.
 */
export function acceptedBytes(socket: Socket): number {
  const { bytesWritten = 0, writeQueueSize = 0 } = Reflect.get(socket, '_handle') ?? {};
  return bytesWritten - writeQueueSize;
}

import type { DatabaseUrl } from './database-url.ts';
import { anyTimeline, type Hosts } from './hosts.ts';

/** Replicas, used in turn. Timelines do not matter: each read checks how far the replica has come. */
export class ReplicaHosts implements Hosts {
  readonly count: number;
  readonly location: string;
  readonly #connectionStrings: readonly string[];
  #index = 0;

  constructor({ connectionStrings, location }: DatabaseUrl) {
    this.#connectionStrings = connectionStrings;
    this.count = connectionStrings.length;
    this.location = location;
  }

  current(): string {
    return this.#connectionStrings[this.#index] ?? '';
  }

  async choose(): Promise<string> {
    return this.current();
  }

  leave(connectionString: string): void {
    if (this.current() === connectionString) this.#index = (this.#index + 1) % this.count;
  }

  async admit(): Promise<number> {
    return anyTimeline;
  }

  accepts(): boolean {
    return true;
  }
}

import { fileURLToPath } from 'node:url';
import type { Contender, Sample } from '../measurement.ts';
import { Child } from '../process/child.ts';

/** A program of the benchmark that does one kind of work for as long as it is asked to. */
export class Program implements Contender {
  readonly #child: Child;

  private constructor(child: Child) {
    this.#child = child;
  }

  /** @param script its path within the folder of the benchmark */
  static async start(script: string, args: readonly string[], cores: string | undefined): Promise<Program> {
    const path = fileURLToPath(new URL(`../${script}`, import.meta.url));
    const { child } = await Child.start({ script: path, args, cores });
    return new Program(child);
  }

  measure(seconds: number): Promise<Sample> {
    return this.#child.ask({ ask: 'measure', seconds });
  }

  profile(seconds: number, file: string): Promise<Sample> {
    return this.#child.profile(file, () => this.measure(seconds));
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

import type { RateReports } from '../database/database.ts';
import type { AllRatesMessage } from './messages.ts';

/**
 * Passes the use of rate limits on among workers. The one that reported first is the leader: it exchanges reports with
 * other nodes for all of them.
 */
export class RateRelay<Worker> {
  readonly #send: (worker: Worker, message: AllRatesMessage) => void;
  /** In the order of the workers' first reports. */
  readonly #reports = new Map<Worker, RateReports>();
  #remote: RateReports = {};

  constructor(send: (worker: Worker, message: AllRatesMessage) => void) {
    this.#send = send;
  }

  /** Answers the worker with the reports of the others. The reports of other nodes go to every worker at once. */
  take(worker: Worker, { own, remote }: { readonly own: RateReports; readonly remote?: RateReports }): void {
    this.#reports.set(worker, own);
    this.#remote = remote ?? this.#remote;
    const receivers = remote === undefined ? [worker] : this.#reports.keys();
    for (const receiver of receivers) this.#tell(receiver);
  }

  /** Forgets a worker that has ended. */
  forget(worker: Worker): void {
    this.#reports.delete(worker);
  }

  #tell(worker: Worker): void {
    const [leader] = this.#reports.keys();
    const others = [...this.#reports].filter(([other]) => other !== worker).map(([, reports]) => reports);
    const siblings = Object.assign({}, ...others);
    this.#send(worker, { kind: 'rates', siblings, remote: this.#remote, isLeader: worker === leader });
  }
}

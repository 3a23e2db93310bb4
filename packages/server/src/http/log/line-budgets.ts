import type { ApiError } from '../../errors/api-error.ts';
import { TooManyWaitError } from '../../errors/busy-error.ts';
import type { Logger } from '../../logging/logger.ts';
import { refusesCaller } from '../../pipeline/failures/refuses-caller.ts';
import { isFailedSignIn, RefusalBudget, type SuppressedRefusals } from './refusal-budget.ts';

/** Whether the sender of a request proved who it is. Anybody can send the requests of strangers. */
export type Sender = 'verified' | 'stranger';

/** Separate, so that overload and noise do not suppress the lines about refused callers and sign-ins. */
const names = ['refusals', 'overload', 'strangers', 'signIns'] as const;

type BudgetName = (typeof names)[number];

/** Returns the budget for lines about such failures, or `undefined` where each failure gets a line. */
export function budgetOf({ code, cause }: ApiError, sender: Sender): BudgetName | undefined {
  if (refusesCaller(code)) return 'refusals';
  if (cause instanceof TooManyWaitError) return 'overload';
  if (sender === 'verified' || code === 1500) return undefined;
  return isFailedSignIn(code) ? 'signIns' : 'strangers';
}

/** Limits how many lines the log gets about failures that anybody can cause. */
export class LineBudgets {
  readonly #budgets: ReadonlyMap<BudgetName, RefusalBudget>;

  constructor(logger: Logger) {
    const onSuppressed = (counts: SuppressedRefusals, periodMs: number) => {
      const line = { suppressed: counts, period_seconds: periodMs / 1000 };
      logger.warn(line, 'refused more requests than are logged one by one');
    };
    this.#budgets = new Map(names.map((name) => [name, new RefusalBudget(onSuppressed)]));
  }

  /** Returns whether the log may have another line; if not, counts it. */
  take(name: BudgetName | undefined, code: ApiError['code']): boolean {
    return name === undefined || this.#budgets.get(name)?.take(code) === true;
  }

  /** Reports what was suppressed so far. */
  flush(): void {
    for (const budget of this.#budgets.values()) budget.flush();
  }
}

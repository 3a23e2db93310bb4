import { bareServerScript, constantAnswer } from '../contenders/bare-server.ts';
import { serveCommand } from '../contenders/serve-command.ts';
import type { Contender, Scenario } from '../measurement.ts';
import { Child, type ChildOptions } from '../process/child.ts';
import { usageOf } from '../process/usage.ts';

/** From the start of the process until it listens, with the seeded directory there already. */
export const startUp: Scenario = {
  name: 'start-up',
  title: 'start until listening',
  comparedTo: 'bare node:http',
  unit: 'ms',
  better: 'lower',
  measured: serveCommand,
  reference: async ({ cores }) =>
    starting({ script: bareServerScript, args: [constantAnswer], cores: cores.server }),
};

function starting(options: ChildOptions): Contender {
  return {
    async measure() {
      const startedAt = performance.now();
      const { child } = await Child.start(options);
      const value = performance.now() - startedAt;
      const usage = usageOf(child.pid);
      await child.stop();
      return { value, ...(usage && { residentBytes: usage.residentBytes }) };
    },
    stop: async () => undefined,
  };
}

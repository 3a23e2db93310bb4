import { faultOf } from '../postgres-error.ts';

const racesMax = 5;

/** Repeats work that leaves nothing behind when it loses a race, such as a single statement or a whole migration. */
export async function retryAfterRace<T>(work: () => Promise<T>): Promise<T> {
  for (let races = 1; ; races++) {
    try {
      return await work();
    } catch (error) {
      if (races === racesMax || faultOf(error) !== 'conflict') throw error;
    }
  }
}

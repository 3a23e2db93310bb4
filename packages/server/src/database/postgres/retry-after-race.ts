import { faultOf } from './postgres-error.ts';

const racesMax = 5;

/** For work that leaves nothing behind when it loses a race, as a statement on its own or a whole migration does. */
export async function retryAfterRace<T>(work: () => Promise<T>): Promise<T> {
  for (let races = 1; ; races++) {
    try {
      return await work();
    } catch (error) {
      if (races === racesMax || faultOf(error) !== 'conflict') throw error;
    }
  }
}

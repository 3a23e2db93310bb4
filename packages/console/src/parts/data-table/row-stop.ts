import { createContext, useContext } from 'react';

/**
 * Whether the Tab key reaches the controls of a row. In a table it does so in one row, the one that had the focus last:
 * otherwise nobody could leave a long table by keyboard.
 */
export const RowStop = createContext(true);

/** Returns the place of a control of a row in the order of the Tab key. */
export function useRowTabIndex(): 0 | -1 {
  return useContext(RowStop) ? 0 : -1;
}

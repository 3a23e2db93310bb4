import type { Texts } from '../../i18n/texts.ts';
import type { RequestSearch } from './request-search.ts';

/** Says that no failed call passes the filters, and how to find some. */
export function sayNoCalls(
  requests: Texts['requests'],
  { from, until, ...others }: RequestSearch,
): { title: string; help: string } {
  const isFiltered = Object.keys(others).length > 0;
  if (from === undefined && until === undefined)
    return isFiltered
      ? { title: requests.noneFound, help: requests.noneFoundHelp }
      : { title: requests.empty, help: requests.emptyHelp };
  return isFiltered
    ? { title: requests.noneFound, help: requests.noneFoundThenHelp }
    : { title: requests.noneThen, help: requests.noneThenHelp };
}

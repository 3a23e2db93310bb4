/** Which failed request the lab begins with, as it is in the address. */
export interface LabSearch {
  readonly request?: string;
}

/** Reads the address; a router may have taken an id of digits for a number. */
export function readLabSearch({ request }: { request?: unknown }): LabSearch {
  const isGiven = (typeof request === 'string' && request !== '') || typeof request === 'number';
  return isGiven ? { request: String(request) } : {};
}

/** The part of the address that names the failed request to begin with. */
export interface LabSearch {
  readonly request?: string;
}

/** Reads the address; a router may have taken an id of digits for a number. */
export function readLabSearch({ request }: { request?: unknown }): LabSearch {
  const isGiven = (typeof request === 'string' && request !== '') || typeof request === 'number';
  return isGiven ? { request: String(request) } : {};
}

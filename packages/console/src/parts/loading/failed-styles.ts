/** The server answers but does not have the styles of a part, which a newer release may have replaced. */
export class MissingStylesError extends Error {}

/** The elements whose styles could not be loaded, by their address. */
const failed = new Map<string, HTMLLinkElement>();

/** The second attempts under way, by the address of the styles. */
const attempts = new Map<string, Promise<void>>();

// The error of an element does not bubble up to the window, which captures it on its way down.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failed.set(target.href, target);
  },
  true,
);

/** Returns the addresses of the styles that are missing now. */
export function failedStyles(): readonly string[] {
  return [...failed.keys()];
}

/**
 * Loads styles again, unless they are no longer missing. Vite asks for the styles of a part once, and on a second attempt
 * takes them for loaded. Several parts may share styles: each waits for the same attempt and learns how it ended.
 *
 * @throws {MissingStylesError}
 */
export async function loadStylesAgain(addresses: readonly string[]): Promise<void> {
  await Promise.all(addresses.map(loadAgain));
}

function loadAgain(address: string): Promise<void> | undefined {
  const link = failed.get(address);
  if (link === undefined) return undefined;
  const underWay = attempts.get(address);
  if (underWay !== undefined) return underWay;
  const attempt = replaceLink(link).finally(() => attempts.delete(address));
  attempts.set(address, attempt);
  return attempt;
}

function replaceLink(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const again = link.cloneNode() as HTMLLinkElement;
    again.onload = () => {
      failed.delete(link.href);
      resolve();
    };
    again.onerror = () => reject(new MissingStylesError(`Failed to load ${link.href}`));
    link.replaceWith(again);
  });
}

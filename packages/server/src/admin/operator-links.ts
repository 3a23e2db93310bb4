import { describeLink } from '../console/sign-in/operator-links.ts';
import type { OperatorAccess, OperatorLink } from '../database/database.ts';
import { AdminError } from './admin-error.ts';
import type { OpenDirectory } from './open-directory.ts';
import { ranBy } from './operators.ts';

/** A link that has neither been used nor expired. */
export interface OpenLink extends OperatorAccess {
  /** SHA-256 of the token, in hexadecimal. It does not open the link. */
  readonly id: string;
  /** The operator whose password it resets; absent for an invitation. */
  readonly username?: string | undefined;
  /** The operator who made it; absent for a command or the first start. */
  readonly maker?: string | undefined;
  /** Unix milliseconds. */
  readonly expiresAtMs: number;
}

/** Returns the open links, the first to expire first. */
export async function openLinks({ database }: OpenDirectory): Promise<readonly OpenLink[]> {
  const [links, all] = await Promise.all([database.operators.listLinks(), database.operators.list()]);
  const byId = new Map(all.map((operator) => [operator.id, operator]));
  return links.map(({ tokenHash, operatorId, madeBy, expiresAtMs, ...invited }) => {
    const reset = operatorId === undefined ? undefined : byId.get(operatorId);
    const { role, allTenants, tenantIds } = reset ?? invited;
    const maker = madeBy === undefined ? undefined : byId.get(madeBy);
    return {
      id: tokenHash,
      username: reset?.username,
      role,
      allTenants,
      tenantIds,
      maker: maker?.username,
      expiresAtMs,
    };
  });
}

export function countExpiredLinks({ database }: OpenDirectory): Promise<number> {
  return database.operators.countExpiredLinks();
}

/**
 * Withdraws a link, so that nobody can use it.
 *
 * @param start the link's id, or its first characters
 * @returns the id
 * @throws {AdminError} unless exactly one open link has an id with this start
 */
export async function withdrawLink(directory: OpenDirectory, start: string): Promise<string> {
  return directory.database.operators.write(undefined, async (operators) => {
    const { tokenHash, ...link } = requireOne(await operators.listLinks(), start);
    await operators.takeLink(tokenHash);
    const event = {
      operation: 'operator withdraw',
      changes: await describeLink(link, operators),
      ...ranBy(directory),
    };
    return { result: tokenHash, event };
  });
}

function requireOne(links: readonly OperatorLink[], start: string): OperatorLink {
  const [link, ...others] = links.filter(({ tokenHash }) => tokenHash.startsWith(start.toLowerCase()));
  if (link === undefined)
    throw new AdminError(
      `there is no open link with the id '${start}'; it was used or withdrawn, or has expired; list them with: fieldroster operator links`,
    );
  if (others.length > 0)
    throw new AdminError(
      `${others.length + 1} open links have an id that begins with '${start}'; give more of it`,
    );
  return link;
}

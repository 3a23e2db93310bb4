import type { SaidAdvice, SaidFinding } from '@fieldroster/contract/console';
import { type HostAndPort, SettingError, type Settings, splitHostAndPort } from '../config.ts';

/** Why a server cannot start with settings that are valid one by one. */
export interface SettingConflict {
  readonly problem: string;
  readonly remedy: string;
  /** The texts above as data, from which the console makes sentences in other languages. */
  readonly said: SaidFinding;
  readonly advised: SaidAdvice;
}

/** @throws {SettingError} for the first conflict */
export function requireNoConflict(settings: Settings): void {
  const [conflict] = settingConflicts(settings);
  if (conflict !== undefined) throw new SettingError(conflictMessage(conflict));
}

export function conflictMessage({ problem, remedy }: SettingConflict): string {
  return `${problem}; ${remedy}`;
}

/** Finds the conflicts between the settings that are given; a setting whose value is not known has none. */
export function settingConflicts(settings: Partial<Settings>): readonly SettingConflict[] {
  return [...backupConflicts(settings), ...listenerConflicts(settings)];
}

function backupConflicts({ backupEveryMs, backupTo }: Partial<Settings>): SettingConflict[] {
  if (backupEveryMs === undefined || backupTo === undefined) return [];
  if (backupEveryMs > 0 === (backupTo !== '')) return [];
  return [backupEveryMs > 0 ? withoutFolder : withoutTime];
}

const withoutFolder: SettingConflict = {
  problem: '--backup-every needs the folder of the backups',
  remedy: 'name it with --backup-to or FIELDROSTER_BACKUP_TO',
  said: { key: 'backupNeedsFolder', values: {} },
  advised: { key: 'setBackupFolder', values: {} },
};

const withoutTime: SettingConflict = {
  problem: '--backup-to needs the time between backups',
  remedy: 'set it with --backup-every or FIELDROSTER_BACKUP_EVERY',
  said: { key: 'backupNeedsTime', values: {} },
  advised: { key: 'setBackupTime', values: {} },
};

interface Listener extends HostAndPort {
  readonly flag: string;
}

/**
 * Finds listeners on the same port. The system's error would blame another program, and between workers Node.js fails
 * with an assertion.
 */
function listenerConflicts(settings: Partial<Settings>): SettingConflict[] {
  const listeners = listenersOf(settings);
  return listeners.flatMap((first, index) =>
    listeners
      .slice(index + 1)
      .filter((second) => first.port === second.port && overlap(first.host, second.host))
      .map((second) => ({
        problem: `${first.flag} and ${second.flag} are both ${first.port}`,
        remedy: 'choose another port for one of them',
        said: {
          key: 'samePort',
          values: { first: first.flag, second: second.flag, port: first.port },
        } as const,
        advised: { key: 'otherPort', values: {} } as const,
      })),
  );
}

function listenersOf({ host, port, console, consoleListen, metrics }: Partial<Settings>): Listener[] {
  const others = [
    { flag: '--console-listen', address: console === true ? consoleListen : '' },
    { flag: '--metrics', address: metrics },
  ].flatMap(({ flag, address }) => (address ? [{ flag, ...splitHostAndPort(address) }] : []));
  const own = host === undefined || port === undefined ? [] : [{ flag: '--port', host, port }];
  return [...own, ...others].filter(({ port }) => port !== 0);
}

function overlap(one: string, other: string): boolean {
  return one === other || covers(one, other) || covers(other, one);
}

/** Returns whether a listener on the first host takes the port of the second as well. */
function covers(host: string, other: string): boolean {
  if (host === '::') return true;
  if (host === '0.0.0.0') return !other.includes(':');
  return host === 'localhost' && ['127.0.0.1', '::1'].includes(other);
}

import { type RunningServer, type ServerLog, type Settings, writesJson } from '@fieldroster/server';
import type { OpenDirectoryOptions } from '@fieldroster/server/admin';
import { commandOn } from '../command-line/command-on.ts';
import { consoleLink } from '../config/console-link.ts';
import type { SettingFlags } from '../config/setting-option.ts';
import { print, warn } from '../output/print.ts';
import { isOutputDiscarded } from '../output/require-readable-output.ts';
import { firstCall } from './first-call.ts';
import { type FirstApplication, findUnusedFirstApplication, inviteFirstOwner } from './first-start.ts';
import type { SampleContent } from './load-sample.ts';

export interface FirstStart extends FirstApplication {
  readonly content: SampleContent;
}

export interface Start {
  readonly server: RunningServer;
  readonly first: FirstStart | undefined;
  readonly settings: Settings;
  readonly place: OpenDirectoryOptions;
  readonly flags: SettingFlags;
  readonly log: ServerLog;
}

/**
 * Says where the server listens: as one object for scripts, as text with the first secrets for a person who reads it, and
 * otherwise as lines of the log. A log keeps no secret.
 */
export async function announceStart(start: Start): Promise<void> {
  if (start.flags.json === true) await printWithSecret(toJson(start.server, start.first), start);
  else if (isReadByPerson(start))
    await printWithSecret(toText(start, await consoleForReader(start), await adviceOnSecret(start)), start);
  else announceInLog(start, await adviceOnSecret(start));
}

/** Prints the text, and says how to replace its secret if nobody can read it. The server goes on. */
async function printWithSecret(text: string, { first, flags }: Start): Promise<void> {
  const isPrinted = await print(text);
  if (first === undefined || (isPrinted && !isOutputDiscarded())) return;
  warn(
    `the APPSECRET of ${first.appId} could not be printed; for another one, run: ${commandOn(flags, `app rotate ${first.appId}`)}`,
  );
}

/** Says how to replace a secret that a killed start may not have printed; `undefined` if none can be missing. */
async function adviceOnSecret(start: Start): Promise<string | undefined> {
  const { first, flags, place } = start;
  if (first !== undefined || flags.sample !== true) return undefined;
  const appId = await findUnusedFirstApplication(place);
  if (appId === undefined) return undefined;
  const rotate = asTyped(commandOn(flags, `app rotate ${appId}`), start);
  return `The first application ${appId} has never been used; if you do not have its secret, run: ${rotate}`;
}

/** Returns the command as the reader has to type it: after `npm start` and under `npx`, no shell finds it by its name. */
function asTyped(command: string, start: Start): string {
  const script = start.place.environment?.npm_lifecycle_event;
  return isReadByPerson(start) && (script === 'start' || script === 'npx') ? `npx ${command}` : command;
}

/**
 * Returns whether a person reads the start: standard output is a terminal, or the server is the checkout's `npm start`,
 * whose output may pass through a pipe to a window of an editor.
 */
function isReadByPerson({
  settings: { logFormat },
  flags: { sample },
  place: { environment = {} },
}: Start): boolean {
  if (logFormat === 'json') return false;
  return process.stdout.isTTY === true || (sample === true && environment.npm_lifecycle_event === 'start');
}

function announceInLog(start: Start, advice: string | undefined): void {
  const { server, first, settings, flags, log } = start;
  if (settings.console) {
    const address = addressOfConsole(start);
    const invite = commandOn(flags, 'operator invite --role owner', { 'console-url': address });
    log.announce({}, `The console is at ${address}; for a link that makes its first owner, run: ${invite}`);
  }
  if (first) {
    const rotate = commandOn(flags, `app rotate ${first.appId}`);
    const message = `The sample's first application is ${first.appId}; for a secret, run: ${rotate}`;
    log.announce({ app_id: first.appId }, message);
  }
  if (advice !== undefined) log.announce({}, advice);
  log.announce(writesJson(settings.logFormat, process.stdout) ? { url: server.url } : {}, listensOn(server));
}

/** Returns the server's URL and the first application's credentials, which are shown only once. */
function toJson({ url }: RunningServer, first: FirstApplication | undefined): string {
  return `${JSON.stringify({ url, ...(first && { app_id: first.appId, app_secret: first.appSecret }) })}\n`;
}

function listensOn({ url }: RunningServer): string {
  return `Fieldroster listens on ${url}`;
}

function addressOfConsole({ server, settings }: Start): string {
  return settings.publicUrl === '' ? (server.consoleUrl ?? '') : `${settings.publicUrl}/console`;
}

/** Says how to open the console; while there is no operator, with the link that creates the owner. */
async function consoleForReader(start: Start): Promise<string> {
  if (!start.settings.console) return '';
  const address = addressOfConsole(start);
  const token = await inviteFirstOwner(start.place);
  if (token === undefined) return `The console is at ${address}\n`;
  return `Open the console, where you make the owner's account (this link works once, for an hour):

  ${consoleLink(address, token)}

`;
}

function toText({ server, first }: Start, console: string, advice: string | undefined): string {
  const told = advice === undefined ? '' : `${advice}\n`;
  const listening = `${console}${told}${listensOn(server)}\n`;
  if (first === undefined) return listening;
  const { roles, organizations, stores, users } = first.content;
  return `${listening}
The sample directory, in the tenant default, has:
  roles          ${roles}
  organizations  ${organizations}
  stores         ${stores}
  users          ${users}

A first application, which may read and write users, was issued:
  APPID      ${first.appId}
  APPSECRET  ${first.appSecret}
Keep the secret now: it cannot be read again.

Create a user with a signed request; paste this into bash:

${firstCall(server.url, first)}

`;
}

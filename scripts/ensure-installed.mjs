// Runs before every npm script. Plain JavaScript without newer syntax, because the machine's Node.js may be too
// old to parse anything else of this project.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const nodeMajorMin = 20;

if (Number(process.versions.node.split('.')[0]) < nodeMajorMin) {
  stop(
    `Fieldroster needs Node.js ${nodeMajorMin} or newer to install itself; this is ${process.version}. Get one from https://nodejs.org/`,
  );
}

const reason = whyInstall();
if (reason !== undefined) {
  say(`${reason}: running npm ci, which takes about half a minute`);
  runNpm(['ci', '--loglevel=error', '--no-audit', '--no-fund']);
  const stillMissing = whyInstall();
  if (stillMissing !== undefined) {
    stop(
      `npm ci has ended and yet ${stillMissing}; if npm is set to ignore scripts, run: npm rebuild node --ignore-scripts=false`,
    );
  }
}

/** @returns {string | undefined} what differs from package-lock.json */
function whyInstall() {
  const installed = readPackages('node_modules/.package-lock.json');
  if (installed === undefined) return 'nothing is installed yet';
  const wanted = readPackages('package-lock.json') || {};
  const stale = Object.keys(wanted).find(
    (path) => path !== '' && !isInstalled(wanted[path], installed[path]),
  );
  if (stale !== undefined) return `${stale} is not as package-lock.json has it`;
  // An install script adds the pinned Node.js, but npm may be configured to run none.
  const pinned =
    process.platform === 'win32' ? 'node_modules/node/bin/node.exe' : 'node_modules/node/bin/node';
  return existsSync(pinned) ? undefined : 'the pinned Node.js is missing';
}

/** Packages for other machines are optional and absent here. The workspaces' own entries are not installed. */
function isInstalled(wanted, installed) {
  if (installed === undefined) return wanted.optional === true || wanted.devOptional === true;
  return installed.version === wanted.version && installed.integrity === wanted.integrity;
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

// All output goes to standard error: standard output belongs to the script that runs next.
function runNpm(args) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const { status, error } = spawnSync(command, [...first, ...args], { stdio: ['ignore', 2, 2] });
  if (error !== undefined) stop(`npm could not be run: ${error.message}`);
  if (status !== 0) stop('npm ci failed; its message is above');
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function stop(text) {
  say(text);
  process.exit(1);
}

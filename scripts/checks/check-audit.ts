import { spawnSync } from 'node:child_process';

/** A check that could not run here, and why. It has neither passed nor failed. */
export class NotRun {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

interface Advisory {
  readonly severity: string;
  readonly range: string;
  readonly via: readonly (string | { readonly title: string; readonly url: string })[];
}

/** The output of `npm audit --json`: a report, or a message if the registry gave none. */
interface AuditOutput {
  readonly auditReportVersion?: number;
  readonly vulnerabilities?: Readonly<Record<string, Advisory>>;
  readonly message?: string;
}

/** Asks the registry for known vulnerabilities of what users install. Not every registry supports that. */
export function checkAudit(root: string): readonly string[] | NotRun {
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000'];
  const { stdout, error } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (error !== undefined) return new NotRun(`npm could not be started: ${error.message}`);
  return readAudit(stdout);
}

/** Parses the output of `npm audit --json`. Returns one message for each vulnerable package. */
export function readAudit(stdout: string): readonly string[] | NotRun {
  const { auditReportVersion, vulnerabilities = {}, message = 'no report' } = parse(stdout);
  if (auditReportVersion === undefined) return new NotRun(`the registry gave no report: ${message}`);
  return Object.entries(vulnerabilities).map(([name, { severity, range, via }]) => {
    const causes = via.map((cause) => (typeof cause === 'string' ? cause : `${cause.title} ${cause.url}`));
    return `${name} ${range} (${severity}): ${causes.join('; ')}`;
  });
}

function parse(stdout: string): AuditOutput {
  try {
    return JSON.parse(stdout) as AuditOutput;
  } catch {
    return { message: 'npm printed no JSON' };
  }
}

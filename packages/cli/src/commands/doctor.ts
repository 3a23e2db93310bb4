import {
  examine,
  exitCodeOf,
  type NamedFinding,
  readSettings,
  settingDefinitions,
} from '@fieldroster/server/admin';
import { type Command, Option } from 'commander';
import { configPath } from '../config/config-file.ts';
import { gatherSettings } from '../config/gather-settings.ts';
import {
  configOption,
  type SettingFlags,
  settingOption,
  settingTexts,
  textOf,
} from '../config/setting-option.ts';
import { print, printable } from '../output/print.ts';
import { ReportedFailure } from '../run-program.ts';

export function completeDoctor(doctor: Command): void {
  for (const definition of settingDefinitions) doctor.addOption(settingOption(definition));
  doctor
    .addOption(configOption())
    .option('--quick', 'Leave out the checks that read a large part of the database')
    .option('--json', 'Print JSON for scripts')
    .addOption(new Option('--said', 'Print every sentence as data too, for the console').hideHelp())
    .addHelpText('after', `\n${aboutFindings}\n\nExample:\n  $ fieldroster doctor --data ./data --quick`)
    .action(runDoctor);
}

const aboutFindings = `\
Give the command the flags, the variables and the configuration file of your
server: it checks those too. --backup-to may also stand alone, to say where the
backups are. The command changes nothing in the database, and works while
servers run. The exit code is that of the worst finding: 0 if all is well, 1
for a warning, 2 for an error. A mistake on the command line also exits with 2,
and prints no findings. A mistake in a variable or in the configuration file is
a finding, and prevents the other checks.

Slow checks, which --quick leaves out: integrity, foreign keys, change order,
user search, orphans. They read the whole database once.`;

async function runDoctor(flags: SettingFlags): Promise<void> {
  requireAcceptedFlags(flags);
  const json = flags.json === true;
  const onFinding = (finding: NamedFinding) => void (json || print(toText(finding)));
  const findings = await examineAll(flags, onFinding);
  const exitCode = exitCodeOf(findings);
  const shown =
    flags.said === true ? findings : findings.map(({ said: _, advised: _advised, ...rest }) => rest);
  if (json) await print(`${JSON.stringify({ exit_code: exitCode, findings: shown })}\n`);
  else await print(summaries[exitCode] ?? '');
  if (exitCode > 0) throw new ReportedFailure(exitCode);
}

/** Throws for a mistake in the flags, which is a fault of this command line and not of the directory. */
function requireAcceptedFlags(flags: SettingFlags): void {
  readSettings(settingTexts(flags), {});
  configPath(textOf(flags.config), {});
}

type OnFinding = (finding: NamedFinding) => void;

async function examineAll(flags: SettingFlags, onFinding: OnFinding): Promise<readonly NamedFinding[]> {
  const { settings, environment, warnings, problems } = gatherSettings(flags);
  if (settings === undefined) return reportProblems(problems, onFinding);
  const { backupTo: backupFolder, backupEveryMs } = settings;
  // Here, the flag only says where the backups are. As a setting of the server, it needs a schedule too.
  const onlyNamed = settingTexts(flags).backupTo !== undefined && backupEveryMs === 0;
  return examine({
    settings: onlyNamed ? { ...settings, backupTo: '' } : settings,
    backupFolder,
    environment,
    environmentWarnings: warnings,
    quick: flags.quick === true,
    onFinding,
  });
}

/** Makes no other check: with other settings, it might examine the wrong database. */
function reportProblems(problems: readonly string[], onFinding: OnFinding): readonly NamedFinding[] {
  const advice = 'correct it and run the doctor again; until then, it cannot make its other checks';
  return problems.map((problem) => {
    const message = `serve does not start: ${problem}`;
    const finding: NamedFinding = {
      level: 'error',
      check: 'settings',
      message,
      advice,
      said: { key: 'serveRefuses', values: { reason: problem } },
      advised: { key: 'correctSetting', values: {} },
    };
    onFinding(finding);
    return finding;
  });
}

const summaries = ['all is well\n', 'there are warnings\n', 'there are errors\n'];

function toText({ level, check, message, advice }: NamedFinding): string {
  const line = `${level.padEnd(7)}  ${check.padEnd(13)}  ${printable(message)}\n`;
  return advice === undefined ? line : `${line}${' '.repeat(24)}→ ${printable(advice)}\n`;
}

import { endWithWrapper } from './end-with-wrapper.ts';
import { keepCompiled } from './keep-compiled.ts';
import { buildProgram } from './program.ts';
import { runProgram } from './run-program.ts';

endWithWrapper();
keepCompiled(process.env);
const commandLine = process.argv.slice(2);
const exitCode = await runProgram(await buildProgram(commandLine), commandLine);
if (exitCode !== 0) process.exitCode = exitCode;

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The server's own modules of a checkout that a request goes through, for measuring each alone. */
export async function serverPartsOf(root: string) {
  const load = <Module>(path: string): Promise<Module> =>
    import(pathToFileURL(join(root, 'packages/server/src', path)).href);
  return {
    ...(await load<Applications>('applications/application-directory.ts')),
    ...(await load<Verify>('pipeline/verify-signature.ts')),
    ...(await load<Scope>('pipeline/require-scope.ts')),
    ...(await load<Rate>('pipeline/limit-rate.ts')),
    ...(await load<Input>('pipeline/parse-input.ts')),
    ...(await load<Pipeline>('pipeline.ts')),
    ...(await load<Present>('users/present-user.ts')),
    ...(await load<Hasher>('users/password-hasher.ts')),
    ...(await load<Guesses>('users/password-guesses.ts')),
    ...(await load<AnswerModule>('pipeline/present-answer.ts')),
    ...(await load<AnswerCacheModule>('pipeline/answer-cache.ts')),
    ...(await load<RequestLog>('http/request-log.ts')),
    ...(await load<LogOutput>('log-output.ts')),
  };
}

type Applications = typeof import('../../packages/server/src/applications/application-directory.ts');
type Verify = typeof import('../../packages/server/src/pipeline/verify-signature.ts');
type Scope = typeof import('../../packages/server/src/pipeline/require-scope.ts');
type Rate = typeof import('../../packages/server/src/pipeline/limit-rate.ts');
type Input = typeof import('../../packages/server/src/pipeline/parse-input.ts');
type Pipeline = typeof import('../../packages/server/src/pipeline.ts');
type Present = typeof import('../../packages/server/src/users/present-user.ts');
type Hasher = typeof import('../../packages/server/src/users/password-hasher.ts');
type Guesses = typeof import('../../packages/server/src/users/password-guesses.ts');
type AnswerModule = typeof import('../../packages/server/src/pipeline/present-answer.ts');
type AnswerCacheModule = typeof import('../../packages/server/src/pipeline/answer-cache.ts');
type RequestLog = typeof import('../../packages/server/src/http/request-log.ts');
type LogOutput = typeof import('../../packages/server/src/log-output.ts');

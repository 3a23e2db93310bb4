import { literalLines, phpLiteral } from './literals.ts';
import { introduction, type ScriptLanguage, type ScriptRequest } from './script-language.ts';

export const phpScript: ScriptLanguage = {
  id: 'php',
  name: 'PHP',
  fileName: 'call.php',
  command: 'php call.php',
  needs: 'PHP 8.1',
  write(request, signer) {
    const about = introduction(request, phpScript).map((line) => `// ${line}`);
    const rest = signer.replace(/^<\?php\s*/, '').trimEnd();
    return ['<?php', '', ...about, '', rest, '', call(request)].join('\n');
  },
};

function call({ method, origin, target, body }: ScriptRequest): string {
  const text = body === undefined ? "''" : literalLines(body, phpLiteral, '\n    . ');
  const contentType = body === undefined ? '' : " + ['Content-Type' => 'application/json']";
  return `$origin = ${phpLiteral(origin)};
$method = ${phpLiteral(method)};
$target = ${phpLiteral(target)};
$body = ${text};

foreach (['FIELDROSTER_APP_ID', 'FIELDROSTER_APP_SECRET'] as $name) {
    if ((string) getenv($name) === '') {
        fail("set the environment variable $name");
    }
}
$signer = new RequestSigner(getenv('FIELDROSTER_APP_ID'), getenv('FIELDROSTER_APP_SECRET'));
$headers = $signer->sign($method, $target, $body)${contentType};
$lines = array_map(fn ($name, $value) => "$name: $value", array_keys($headers), $headers);
// The envelope says what happened, not the HTTP status. Without ignore_errors PHP drops it.
$http = ['method' => $method, 'header' => $lines, 'content' => $body, 'ignore_errors' => true, 'timeout' => 30];
$answer = @file_get_contents($origin . $target, false, stream_context_create(['http' => $http]));
echo $answer === false ? fail(error_get_last()['message']) : $answer, "\\n";

function fail(string $reason): never
{
    fwrite(STDERR, "$reason\\n");
    exit(1);
}
`;
}

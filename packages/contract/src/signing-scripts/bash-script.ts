import { shellLiteral } from './literals.ts';
import { introduction, type ScriptLanguage, type ScriptRequest } from './script-language.ts';

export const bashScript: ScriptLanguage = {
  id: 'bash',
  name: 'bash',
  fileName: 'call.sh',
  command: 'bash call.sh',
  needs: 'bash 4, curl and openssl',
  write(request, signer) {
    const about = introduction(request, bashScript).map((line) => `# ${line}`);
    return ['#!/usr/bin/env bash', ...about, '', signer.trimEnd(), '', '', call(request)].join('\n');
  },
};

function call({ method, origin, target, body }: ScriptRequest): string {
  const [file, data] =
    body === undefined
      ? ['', '']
      : [' "$body"', ` \\\n  --header 'Content-Type: application/json' --data-binary "@$body"`];
  return `origin=${shellLiteral(origin)}
method=${method}
target=${shellLiteral(target)}
${body === undefined ? '' : bodyFile(body)}
headers=$(sign "\${FIELDROSTER_APP_ID:?must be set}" "\${FIELDROSTER_APP_SECRET:?must be set}" \\
  "$method" "$target"${file}) || exit 1
curl --silent --show-error --globoff --request "$method" --header @-${data} \\
  "$origin$target" <<<"$headers"
echo
`;
}

function bodyFile(body: string): string {
  return `body=$(mktemp)
trap 'rm -f "$body"' EXIT
printf '%s' ${shellLiteral(body)} >"$body"
`;
}

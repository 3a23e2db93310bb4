import { jsonLiteral, literalLines } from './literals.ts';
import { introduction, type ScriptLanguage, type ScriptRequest } from './script-language.ts';

export const pythonScript: ScriptLanguage = {
  id: 'python',
  name: 'Python',
  fileName: 'call.py',
  command: 'python3 call.py',
  needs: 'Python 3.8',
  write(request, signer) {
    const about = introduction(request, pythonScript).map((line) => `# ${line}`);
    return [...about, '', signer.trimEnd(), '', '', call(request)].join('\n');
  },
};

function call({ method, origin, target, body }: ScriptRequest): string {
  const bytes =
    body === undefined ? 'b""' : `(\n    ${literalLines(body, jsonLiteral, '\n    ')}\n).encode()`;
  const contentType = body === undefined ? '' : 'headers["Content-Type"] = "application/json"\n';
  return `import os
import sys
import urllib.error
import urllib.request

origin = ${jsonLiteral(origin)}
method = ${jsonLiteral(method)}
target = ${jsonLiteral(target)}
body = ${bytes}

for name in ("FIELDROSTER_APP_ID", "FIELDROSTER_APP_SECRET"):
    if not os.environ.get(name):
        sys.exit(f"set the environment variable {name}")
app_id, app_secret = os.environ["FIELDROSTER_APP_ID"], os.environ["FIELDROSTER_APP_SECRET"]
headers = sign(app_id, app_secret, method, target, body)
${contentType}request = urllib.request.Request(origin + target, body or None, headers, method=method)
try:
    with urllib.request.urlopen(request, timeout=30) as answer:
        print(answer.read().decode())
except urllib.error.HTTPError as error:
    # The envelope says what happened, not the HTTP status.
    print(error.read().decode())
except OSError as error:
    sys.exit(f"{origin} cannot be reached: {error}")
`;
}

import { asciiLiteral, literalLines } from './literals.ts';
import { introduction, type ScriptLanguage, type ScriptRequest } from './script-language.ts';

export const csharpScript: ScriptLanguage = {
  id: 'csharp',
  name: 'C#',
  fileName: 'call.cs',
  command: 'mcs -r:System.Net.Http call.cs && mono call.exe',
  needs: 'Mono 6.8 (it was not tried with .NET)',
  write(request, signer) {
    const about = introduction(request, csharpScript).map((line) => `// ${line}`);
    const usings = signer.match(/^using .*;$/gm) ?? [];
    const sorted = [...new Set([...usings, 'using System.Net.Http;'])].toSorted();
    const rest = signer.replaceAll(/^using .*\n/gm, '').trim();
    return [...about, '', ...sorted, '', call(request), rest, ''].join('\n');
  },
};

function call({ method, origin, target, body }: ScriptRequest): string {
  const text = body === undefined ? '""' : literalLines(body, asciiLiteral, '\n                + ');
  const content =
    body === undefined
      ? ''
      : `
                request.Content = new ByteArrayContent(body);
                request.Content.Headers.Add("Content-Type", "application/json");`;
  return `namespace Fieldroster.Call
{
    public static class Program
    {
        public static int Main()
        {
            var origin = ${asciiLiteral(origin)};
            var method = ${asciiLiteral(method)};
            var target = ${asciiLiteral(target)};
            var body = Encoding.UTF8.GetBytes(${text});

            var appId = Environment.GetEnvironmentVariable("FIELDROSTER_APP_ID");
            var appSecret = Environment.GetEnvironmentVariable("FIELDROSTER_APP_SECRET");
            if (string.IsNullOrEmpty(appId) || string.IsNullOrEmpty(appSecret))
            {
                Console.Error.WriteLine(
                    "set the environment variables FIELDROSTER_APP_ID and FIELDROSTER_APP_SECRET");
                return 1;
            }
            var headers = new RequestSigner(appId, appSecret).Sign(method, target, body);
            using (var client = new HttpClient())
            using (var request = new HttpRequestMessage(new HttpMethod(method), origin + target))
            {
                request.Headers.TryAddWithoutValidation("Authorization", headers.Authorization);
                request.Headers.Add("Timestamp", headers.Timestamp);
                request.Headers.Add("Nonce", headers.Nonce);${content}
                var answer = client.SendAsync(request).GetAwaiter().GetResult();
                Console.OutputEncoding = new UTF8Encoding(false);
                Console.WriteLine(answer.Content.ReadAsStringAsync().GetAwaiter().GetResult());
            }
            return 0;
        }
    }
}
`;
}

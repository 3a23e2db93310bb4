import { asciiLiteral, literalLines } from './literals.ts';
import { introduction, type ScriptLanguage, type ScriptRequest } from './script-language.ts';

export const javaScript: ScriptLanguage = {
  id: 'java',
  name: 'Java',
  fileName: 'Call.java',
  command: 'java Call.java',
  needs: 'Java 11',
  write(request, signer) {
    const about = introduction(request, javaScript).map((line) => `// ${line}`);
    const imports = signer.match(/^import .*;$/gm) ?? [];
    const [statics, others] = [imports.filter(isStatic), imports.filter((line) => !isStatic(line))];
    const sorted = [...new Set([...others, ...callImports])].toSorted();
    // A file that is run directly starts with the class that has main, and only that one may be public.
    const signerClass = signer.replaceAll(/^import .*\n/gm, '').replace('public final class', 'final class');
    const parts = [...about, '', ...statics, '', ...sorted, '', call(request), signerClass.trim()];
    return `${parts.join('\n')}\n`;
  },
};

const callImports = [
  'import java.net.URI;',
  'import java.net.http.HttpClient;',
  'import java.net.http.HttpRequest;',
  'import java.net.http.HttpRequest.BodyPublishers;',
  'import java.net.http.HttpResponse.BodyHandlers;',
];

function isStatic(line: string): boolean {
  return line.startsWith('import static');
}

function call({ method, origin, target, body }: ScriptRequest): string {
  const text = body === undefined ? '""' : literalLines(body, asciiLiteral, '\n                + ');
  const contentType =
    body === undefined ? '' : '\n                .header("Content-Type", "application/json")';
  const publisher = body === undefined ? 'BodyPublishers.noBody()' : 'BodyPublishers.ofByteArray(body)';
  return `public final class Call {
    public static void main(String[] arguments) throws Exception {
        String origin = ${asciiLiteral(origin)};
        String method = ${asciiLiteral(method)};
        String target = ${asciiLiteral(target)};
        byte[] body = (${text}).getBytes(UTF_8);

        RequestSigner signer = new RequestSigner(required("FIELDROSTER_APP_ID"), required("FIELDROSTER_APP_SECRET"));
        RequestSigner.Headers headers = signer.sign(method, target, body);
        HttpRequest request = HttpRequest.newBuilder(URI.create(origin + target))
                .method(method, ${publisher})
                .header("Authorization", headers.authorization())
                .header("Timestamp", headers.timestamp())
                .header("Nonce", headers.nonce())${contentType}
                .build();
        System.out.write(HttpClient.newHttpClient().send(request, BodyHandlers.ofByteArray()).body());
        System.out.println();
    }

    private static String required(String name) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) {
            System.err.println("set the environment variable " + name);
            System.exit(1);
        }
        return value;
    }
}
`;
}

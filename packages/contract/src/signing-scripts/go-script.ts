import { jsonLiteral, literalLines } from './literals.ts';
import { introduction, type ScriptLanguage, type ScriptRequest } from './script-language.ts';

export const goScript: ScriptLanguage = {
  id: 'go',
  name: 'Go',
  fileName: 'call.go',
  command: 'go run call.go',
  needs: 'Go 1.18',
  write(request, signer) {
    const about = introduction(request, goScript).map((line) => `// ${line}`);
    const rest = signer.replace(/^(\/\/.*\n)*package .*\n/, '').trim();
    // The imports of the call follow the signer's; Go wants all of them before the first declaration.
    const [imports, declarations] = splitAfter(rest, '\n)\n');
    const parts = [...about, '', 'package main', '', imports, callImports, '', call(request), declarations];
    return `${parts.join('\n')}\n`;
  },
};

function splitAfter(text: string, mark: string): [string, string] {
  const end = text.indexOf(mark) + mark.length;
  return [text.slice(0, end), text.slice(end).trimStart()];
}

const callImports = `import (
	"bytes"
	"io"
	"log"
	"net/http"
	"os"
)`;

function call({ method, origin, target, body }: ScriptRequest): string {
  const bytes = body === undefined ? '""' : literalLines(body, jsonLiteral, ' +\n\t\t');
  const contentType = body === undefined ? '' : '\n\trequest.Header.Set("Content-Type", "application/json")';
  return `func main() {
	const origin, method = ${jsonLiteral(origin)}, ${jsonLiteral(method)}
	const target = ${jsonLiteral(target)}
	body := []byte(${bytes})

	log.SetFlags(0)
	appID, appSecret := os.Getenv("FIELDROSTER_APP_ID"), os.Getenv("FIELDROSTER_APP_SECRET")
	if appID == "" || appSecret == "" {
		log.Fatal("set the environment variables FIELDROSTER_APP_ID and FIELDROSTER_APP_SECRET")
	}
	headers, err := Sign(Request{AppID: appID, AppSecret: appSecret, Method: method, Target: target, Body: body})
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest(method, origin+target, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", headers.Authorization)
	request.Header.Set("Timestamp", headers.Timestamp)
	request.Header.Set("Nonce", headers.Nonce)${contentType}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
}
`;
}

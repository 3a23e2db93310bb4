import { literalLines, rubyLiteral } from './literals.ts';
import { introduction, type ScriptLanguage, type ScriptRequest } from './script-language.ts';

export const rubyScript: ScriptLanguage = {
  id: 'ruby',
  name: 'Ruby',
  fileName: 'call.rb',
  command: 'ruby call.rb',
  needs: 'Ruby 2.7',
  write(request, signer) {
    const about = introduction(request, rubyScript).map((line) => `# ${line}`);
    return [...about, '', signer.trimEnd(), '', call(request)].join('\n');
  },
};

function call({ method, origin, target, body }: ScriptRequest): string {
  const text = body === undefined ? "''" : literalLines(body, rubyLiteral, ' \\\n       ');
  const contentType = body === undefined ? '' : "request['Content-Type'] = 'application/json'\n";
  return `require 'net/http'

origin = ${rubyLiteral(origin)}
method = ${rubyLiteral(method)}
target = ${rubyLiteral(target)}
body = ${text}

app_id, app_secret = %w[FIELDROSTER_APP_ID FIELDROSTER_APP_SECRET].map do |name|
  ENV[name].to_s.empty? ? abort("set the environment variable #{name}") : ENV[name]
end
headers = RequestSigner.sign(app_id, app_secret, method, target, body)
uri = URI(origin + target)
request = Net::HTTP.const_get(method.capitalize).new(uri.request_uri, headers)
${contentType}request.body = body unless body.empty?
begin
  options = { use_ssl: uri.scheme == 'https', max_retries: 0 }
  answer = Net::HTTP.start(uri.host, uri.port, **options) { |http| http.request(request) }
rescue SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError => e
  abort("#{origin} cannot be reached: #{e.message}")
end
puts answer.body
`;
}

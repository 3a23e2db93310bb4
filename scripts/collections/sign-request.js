const CryptoJS = require('crypto-js');

// Resolves a request's variables and signs it. `resolve` gives the value of a variable written as {{name}}.
// Send the resolved URL and body exactly as returned, because they were signed.
function signRequest({ method, url, body, timestamp, nonce }, resolve) {
  const sentUrl = resolveUrl(url, resolve);
  const sentBody = body.replace(variables, (variable) =>
    JSON.stringify(value(variable, resolve)).slice(1, -1),
  );
  const md5 = contentMd5(method, sentBody);
  const parts = [method.toUpperCase(), md5, String(timestamp), nonce, canonicalResource(targetOf(sentUrl))];
  const stringToSign = parts.filter((part) => part !== undefined).join('\n');
  const hmac = CryptoJS.HmacSHA256(stringToSign, value('{{app_secret}}', resolve));
  const signature = hmac.toString(CryptoJS.enc.Base64);
  const authorization = `cbs:${value('{{app_id}}', resolve)}:${signature}`;
  const headers = { Authorization: authorization, Timestamp: String(timestamp), Nonce: nonce };
  return { url: sentUrl, body: sentBody, headers };
}

const variables = /\{\{[^{}]+\}\}/g;

function value(variable, resolve) {
  const text = String(resolve(variable));
  if (text === variable || text === '') throw new Error(`the variable ${variable} is not set`);
  return text;
}

// A variable in the query is a value: it is percent-encoded, so that `&` and `+` in it arrive as they are. Text typed
// into the URL itself is sent unchanged. A JSON body is treated alike: only variables are escaped.
function resolveUrl(url, resolve) {
  const mark = url.indexOf('?');
  const path = (mark === -1 ? url : url.slice(0, mark)).replace(variables, (name) => value(name, resolve));
  if (mark === -1) return path;
  return path + url.slice(mark).replace(variables, (name) => encodeURIComponent(value(name, resolve)));
}

// The path and query as they are in the request line: without the origin, and the fragment is never sent.
function targetOf(url) {
  const target = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*$/, '');
  return target.startsWith('/') ? target : `/${target}`;
}

// Base64 of the body's MD5, or undefined when it is not part of what is signed.
function contentMd5(method, body) {
  if (body === '' && ['POST', 'PUT'].indexOf(method.toUpperCase()) === -1) return undefined;
  return CryptoJS.MD5(body).toString(CryptoJS.enc.Base64);
}

// The path as sent, and the decoded parameters sorted by name.
function canonicalResource(target) {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const pieces = mark === -1 ? [] : target.slice(mark + 1).split('&');
  const parameters = pieces.filter((piece) => piece !== '').map(decodePiece);
  if (parameters.length === 0) return path;
  parameters.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  return `${path}?${parameters.map((parameter) => `${parameter.name}=${parameter.value}`).join('&')}`;
}

function decodePiece(piece) {
  const equals = piece.indexOf('=');
  const halves = equals === -1 ? [piece, ''] : [piece.slice(0, equals), piece.slice(equals + 1)];
  const decoded = halves.map((half) => decodeURIComponent(half.replace(/\+/g, ' ')));
  return { name: decoded[0], value: decoded[1] };
}

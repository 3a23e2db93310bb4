const resolve = (variable) => pm.variables.replaceIn(variable);

const signed = signRequest(
  {
    method: pm.request.method,
    url: pm.request.url.toString(),
    body: pm.request.body ? pm.request.body.toString() : '',
    timestamp: Math.floor(Date.now() / 1000),
    nonce: resolve('{{$randomUUID}}'),
  },
  resolve,
);

pm.request.url.update(signed.url);
if (signed.body !== '') pm.request.body.update({ mode: 'raw', raw: signed.body });
Object.keys(signed.headers).forEach((key) => {
  pm.request.headers.upsert({ key, value: signed.headers[key] });
});

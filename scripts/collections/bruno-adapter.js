// The raw body: a parsed one would have its ids rounded above 2^53. Bruno trims JSON when it sends it.
const rawBody = req.getBody({ raw: true });

const signed = signRequest(
  {
    method: req.getMethod(),
    url: req.getUrl(),
    body: typeof rawBody === 'string' ? rawBody.trim() : '',
    timestamp: Math.floor(Date.now() / 1000),
    nonce: require('uuid').v4(),
  },
  (variable) => bru.interpolate(variable),
);

req.setUrl(signed.url);
if (signed.body !== '') req.setBody(signed.body, { raw: true });
Object.keys(signed.headers).forEach((name) => {
  req.setHeader(name, signed.headers[name]);
});

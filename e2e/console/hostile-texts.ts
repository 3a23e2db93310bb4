/**
 * Texts that run a script, load from elsewhere, or become a formula wherever something takes them for more than text.
 * A script calls `hacked`. Each fits into every field, the shortest of which takes 50 characters.
 */
export const hostileTexts: readonly string[] = [
  '<img src=x onerror=hacked()>',
  '"><svg/onload=hacked()>',
  '</script><script>hacked()</script>',
  'javascript:hacked()',
  'data:text/html,<script>hacked()</script>',
  "{{constructor.constructor('hacked()')()}}",
  `\${hacked()}#{hacked()}<%=hacked()%>`,
  '=HYPERLINK("//evil.example","x")',
  "'onmouseover='hacked()' x='",
  '<iframe srcdoc="<script>top.hacked()">',
  '</textarea><a href=javascript:hacked()>x</a>',
  '<link rel=stylesheet href=//evil.example>',
  '//evil.example/x.png',
];

/**
 * A script for the browser. Lists where the page would run a hostile text, or load or link to an address in one.
 */
export const findLiveParts = `(() => {
  const found = [];
  const leadsAway = (value) => {
    if (!URL.canParse(value, location.href)) return true;
    const { protocol, origin } = new URL(value, location.href);
    if (protocol === 'javascript:') return true;
    if (protocol === 'data:') return /hacked|evil/.test(decodeURIComponent(value));
    return protocol.startsWith('http') && origin !== location.origin;
  };
  const places = ['href', 'src', 'srcset', 'action', 'formaction', 'data', 'poster', 'xlink:href'];
  for (const element of document.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      const runs = name.startsWith('on') || name === 'srcdoc';
      if (runs || (places.includes(name) && leadsAway(value))) found.push(element.tagName + ' ' + name + '=' + value);
    }
    if (element.tagName === 'SCRIPT' && element.textContent.includes('hacked')) found.push('a script');
  }
  return found;
})()`;

/** A script for the browser. Tells `refusedByPolicy` what the content security policy refused. */
export const reportRefusals = `document.addEventListener('securitypolicyviolation', (event) => {
  refusedByPolicy(event.violatedDirective + ' refused ' + event.blockedURI);
})`;

import type { Texts } from '../en.ts';

export const mistakes: Texts['lab']['mistakes'] = {
  'content-md5-hex': '签入的 Content-MD5 是十六进制。应为 16 个原始字节的 MD5 的 Base64（24 个字符）。',
  'content-md5-base64-of-hex':
    '签入的 Content-MD5 是十六进制文本的 Base64。应对 MD5 的 16 个原始字节编码（24 个字符）。',
  'content-md5-line-break':
    '签入的 Content-MD5 末尾带有编码器添加的换行，例如 Ruby 的 encode64、Python 的 encodebytes、Android 的 Base64.DEFAULT。请改用 strict_encode64、b64encode 或 NO_WRAP。',
  'content-md5-unpadded': '签入的 Content-MD5 缺少末尾的“==”。请签入 Base64 的全部 24 个字符。',
  'content-md5-missing':
    '缺少 Content-MD5。POST、PUT 以及任何带请求体的请求，都必须将 Content-MD5 作为第二行。',
  'content-md5-of-nothing': '发送了请求体，但 Content-MD5 是空请求体的。请对实际发送的字节计算。',
  'content-md5-needless':
    '请求没有请求体，却签入了 Content-MD5 一行。没有请求体的 GET 和 DELETE 不含这一行，空行也不行。',
  'content-sha256': '签入的是请求体的 SHA-256。应为其 MD5 的 Base64（24 个字符）。',
  'body-signed': '签入的是请求体本身。应为其 MD5 的 Base64（24 个字符）。',
  'body-not-sent': '没有发送请求体，但 Content-MD5 是 {} 或 null 的。请发送签名时使用的字节。',
  'body-byte-order-mark':
    '发送的请求体开头有字节顺序标记（EF BB BF）而签名时没有，或者相反。请去掉该标记，并对实际发送的字节签名。',
  'body-compressed': '请求体在签名之后被压缩。请不压缩、不带 Content-Encoding 地发送，并对这些字节签名。',
  'body-sent-as-form':
    'Content-MD5 是一个 JSON 对象的，请求体却以表单（a=1&b=2）发送。请按 application/json 发送该 JSON。',
  'body-line-breaks':
    '签名时请求体有换行，发送时没有。curl 的 --data 或 -d 会去掉文件中的换行，--data-binary 才会原样发送文件。',
  'body-line-feed':
    "签名时请求体末尾有换行符而发送时没有，或者相反。请对实际发送的字节签名：在 shell 中，echo 会添加换行符，printf '%s' 不会；curl 用 --data-binary 才会原样发送文件。",
  'body-reserialised':
    'Content-MD5 来自同一 JSON 的另一种写法（空白、键的顺序或转义不同）。请只序列化一次，签名和发送都使用这些字节。',
  'body-sent-in-charset':
    '请求体以其他字符编码发送，而 Content-MD5 是其 UTF-8 字节的。请发送签名时使用的 UTF-8 字节。',
  'body-charset':
    'Content-MD5 是请求体在其他字符编码下的，而发送的是 UTF-8。请只按 UTF-8 编码一次，签名和发送都使用这些字节。',
  'string-charset': '待签名字符串使用了其他字符编码，应使用 UTF-8。',
  'timestamp-milliseconds': '签入的时间戳以毫秒为单位，发送的以秒为单位。请签入与请求头完全相同的值。',
  'timestamp-differs': '签入的时间戳与请求头中的不同。请只读取一次时钟，两处使用同一个值。',
  'timestamp-missing': '缺少时间戳。时间戳单独占一行，在随机数之前。',
  'nonce-missing': '缺少随机数。随机数单独占一行，在时间戳之后。',
  'method-missing': '缺少请求方法。请求方法是第一行，须大写。',
  'method-case': '签入的请求方法没有大写。',
  'method-differs':
    '签入的请求方法与发送的不同。在 Java 中，程序一旦打开输出流，HttpURLConnection 就会将 GET 改为 POST；curl 的 --data 也会这样。',
  'resource-missing': '缺少路径和查询参数。路径和查询参数是最后一行。',
  'trailing-line-feed': '最后一行之后有换行符。规范化资源之后不应再有换行符。',
  'line-separator':
    '各行之间必须用一个换行符（U+000A）分隔，不能用 CR LF、写成文本的“\\n”、“&”、空格，也不能没有分隔。',
  'string-quoted': '待签名字符串两侧带有引号，如同写在 JSON 中。请去掉引号再签名。',
  'order-of-lines': '各行的顺序有误。应依次为：方法、Content-MD5、时间戳、随机数、规范化资源。',
  'content-type-signed': '签入了 Content-Type，但待签名字符串不含 Content-Type。',
  'path-prefix': '签入的路径缺少基础路径。请从 URL 的第一个“/”开始，按实际发送的路径签名。',
  'path-prefix-removed':
    '签入的路径含有未到达服务器的前缀。请按实际发送的路径签名；如果该前缀是被代理去掉的，请让代理原样转发路径，并将该前缀加在服务器的 --base-path 最前面。',
  'path-with-origin': '签入了协议或主机名。只应签入路径和查询参数。',
  'path-slash': '签入的路径，其开头或结尾的“/”与发送的不同。',
  'query-missing': '缺少查询参数。请签入路径、“?”和每个参数，包括接口不使用的参数。',
  'query-url-encoded': '签入的查询参数值经过 URL 编码。请签入解码后的值。',
  'query-unsorted': '查询参数没有排序。请按名称升序排列。',
  'query-empty-dropped': '没有值的参数被省略，或签入时缺少“=”。应写成“名称=”。',
  'query-as-sent': '查询参数按 URL 中的原样签入。请先解码各个值，并按名称排序。',
  'query-sorted-by-pair': '参数按整个“名称=值”排序。应只按名称排序，同名参数保持原来的顺序。',
  'query-sorted-otherwise': '参数按降序排列，或排序时忽略了大小写。应按名称的字符升序排列。',
  'query-html-escaped': 'URL 中以“&amp;”代替了“&”。参数之间只应发送“&”，“&amp;”只用于 HTML 或 XML 中。',
  'query-plus': '混淆了加号和空格：URL 中的 %2B 是加号，%20 是空格。每个值只应解码一次。',
  'query-decoded-twice':
    '查询参数值在 URL 中被编码了两次，或在签名时被解码了两次。每个值只应编码一次，并签入编码前的值。',
  'query-repeated-dropped': '重复的参数只签入了一次。请按 URL 中的顺序签入该参数的每个值。',
  'query-trailing-ampersand': '最后一个参数之后签入了“&”。“&”只应出现在两个参数之间。',
  'query-without-mark': '路径与查询参数之间的“?”被省略，或换成了其他字符。路径之后应有“?”，再接“名称=值”。',
  'query-bare-mark': '没有查询参数，却签入了“?”。此时只应签入路径。',
  'secret-white-space':
    '使用密钥时，首尾多了空白、换行符或字节顺序标记（BOM），或少了密钥本身的空白。从文件或环境变量读取后，请去掉首尾空白。',
  'secret-quoted': '使用密钥时带上了两侧的引号，请去掉引号。',
  'secret-decoded': '密钥被当作十六进制或 Base64 解码了。请直接以密钥文本的字节作为 HMAC 的键。',
  'secret-case': '密钥的大小写被改变了。请完全按签发时的原样使用。',
  'secret-extended': '密钥前后添加了“&”或 APPID，这是其他接口的做法。请只以密钥文本的字节作为 HMAC 的键。',
  'secret-empty': '签名时密钥为空。请检查读取密钥的位置。',
  'secret-is-appid': '把 APPID 当作密钥使用了。请使用 APPSECRET 签名。',
  'hmac-arguments-swapped': 'HMAC 的键和消息弄反了。键是 APPSECRET，消息是待签名字符串。',
  'double-digest': '签名的对象是待签名字符串的摘要。请直接对待签名字符串签名。',
  'plain-sha256': '签名是密钥与文本拼接后的普通 SHA-256。请使用 HMAC-SHA256。',
  'signature-hex': '签名写成了十六进制。请发送摘要 32 个原始字节的 Base64（44 个字符）。',
  'signature-base64-of-hex': '签名是十六进制文本的 Base64。请对摘要的 32 个原始字节编码（44 个字符）。',
  'signature-base64-twice': '签名做了两次 Base64 编码。请对摘要的 32 个原始字节只编码一次（44 个字符）。',
  'signature-url-encoded': '签名经过 URL 编码。请将 Base64 原样放入请求头。',
  'signature-base64url':
    '签名使用了 Base64 的 URL 字母表，或缺少“=”。请使用带“+”、“/”和“=”的标准 Base64（44 个字符）。',
  'signature-digest': '从长度看，签名不是 SHA-256 摘要。请使用 HMAC-SHA256，其结果为 32 个字节。',
};

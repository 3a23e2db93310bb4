using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

namespace Fieldroster
{
    /// <summary>The three headers that a request must carry.</summary>
    public sealed class SignedHeaders
    {
        public SignedHeaders(string authorization, string timestamp, string nonce)
        {
            Authorization = authorization;
            Timestamp = timestamp;
            Nonce = nonce;
        }

        public string Authorization { get; }
        public string Timestamp { get; }
        public string Nonce { get; }
    }

    /// <summary>Signs requests of the cbs scheme. Copy this file into your project: it needs no package.</summary>
    public sealed class RequestSigner
    {
        private static readonly Encoding Utf8 = new UTF8Encoding(false, true);

        private readonly string appId;
        private readonly string appSecret;

        public RequestSigner(string appId, string appSecret)
        {
            this.appId = appId;
            this.appSecret = appSecret;
        }

        /// <param name="method">The HTTP method.</param>
        /// <param name="target">Path and query exactly as sent, still percent-encoded, base path included.</param>
        /// <param name="body">Exactly as sent; none when null.</param>
        /// <param name="timestamp">Whole seconds since the Unix epoch; now when null.</param>
        /// <param name="nonce">1 to 36 characters; a random UUID when null.</param>
        /// <param name="omitContentMd5">True for image uploads.</param>
        /// <param name="plusLiteral">Whether "+" in the query is a plus sign rather than a space.</param>
        /// <exception cref="ArgumentException">No server could accept such a request.</exception>
        public SignedHeaders Sign(
            string method, string target, byte[] body = null, long? timestamp = null, string nonce = null,
            bool omitContentMd5 = false, bool plusLiteral = false)
        {
            var now = timestamp ?? DateTimeOffset.UtcNow.ToUnixTimeSeconds();
            var seconds = now.ToString(CultureInfo.InvariantCulture);
            nonce = nonce ?? Guid.NewGuid().ToString();
            var characters = nonce.Count(unit => !char.IsLowSurrogate(unit));
            if (characters < 1 || characters > 36 || nonce.Any(char.IsControl))
            {
                throw new ArgumentException("a nonce has 1 to 36 characters, none of them a control character");
            }
            var md5 = ContentMd5(method, body ?? new byte[0], omitContentMd5);
            var text = StringToSign(method, md5, seconds, nonce, CanonicalResource(target, plusLiteral));
            return new SignedHeaders(Authorization(appId, Signature(appSecret, text)), seconds, nonce);
        }

        /// <summary>Base64 of the body's MD5, or null when it is not part of what is signed.</summary>
        public static string ContentMd5(string method, byte[] body, bool omit = false)
        {
            var always = new[] { "POST", "PUT" }.Contains(method.ToUpperInvariant());
            if (omit || (body.Length == 0 && !always))
            {
                return null;
            }
            using (var md5 = MD5.Create())
            {
                return Convert.ToBase64String(md5.ComputeHash(body));
            }
        }

        /// <summary>The path as sent, and the decoded parameters sorted by name.</summary>
        public static string CanonicalResource(string target, bool plusLiteral = false)
        {
            var parts = target.Split(new[] { '?' }, 2);
            var pieces = (parts.Length == 1 ? "" : parts[1]).Split('&').Where(piece => piece != "");
            // Ordinal is by UTF-16 code unit, as the scheme wants it, and OrderBy is stable.
            var pairs = pieces
                .Select(piece => piece.Split(new[] { '=' }, 2).Select(half => Decode(half, plusLiteral)).ToArray())
                .OrderBy(pair => pair[0], StringComparer.Ordinal)
                .Select(pair => pair[0] + "=" + (pair.Length == 1 ? "" : pair[1]))
                .ToList();
            return pairs.Count == 0 ? parts[0] : parts[0] + "?" + string.Join("&", pairs);
        }

        public static string StringToSign(
            string method, string md5, string timestamp, string nonce, string resource)
        {
            var parts = new[] { method.ToUpperInvariant(), md5, timestamp, nonce, resource };
            return string.Join("\n", parts.Where(part => part != null));
        }

        public static string Signature(string appSecret, string text)
        {
            using (var hmac = new HMACSHA256(Utf8.GetBytes(appSecret)))
            {
                return Convert.ToBase64String(hmac.ComputeHash(Utf8.GetBytes(text)));
            }
        }

        public static string Authorization(string appId, string signature)
        {
            return "cbs:" + appId + ":" + signature;
        }

        // Uri.UnescapeDataString leaves what it cannot decode as it is, and a server refuses it.
        private static string Decode(string encoded, bool plusLiteral)
        {
            var bytes = Utf8.GetBytes(plusLiteral ? encoded : encoded.Replace('+', ' '));
            var decoded = new MemoryStream();
            for (var i = 0; i < bytes.Length; i++)
            {
                if (bytes[i] != '%')
                {
                    decoded.WriteByte(bytes[i]);
                    continue;
                }
                decoded.WriteByte((byte)(16 * HexDigit(bytes, i + 1) + HexDigit(bytes, i + 2)));
                i += 2;
            }
            // Strict: throws DecoderFallbackException, an ArgumentException, for bytes that are not UTF-8.
            return Utf8.GetString(decoded.ToArray());
        }

        private static int HexDigit(IReadOnlyList<byte> bytes, int index)
        {
            var digit = index < bytes.Count && bytes[index] < 128
                ? "0123456789abcdef".IndexOf(char.ToLowerInvariant((char)bytes[index]))
                : -1;
            if (digit < 0)
            {
                throw new ArgumentException("a \"%\" in the query is not followed by two hexadecimal digits");
            }
            return digit;
        }
    }
}

<?php

declare(strict_types=1);

namespace Fieldroster;

/** Signs requests of the cbs scheme. Copy this file into your project: it needs PHP 8.0 and nothing else. */
final class RequestSigner
{
    public function __construct(private string $appId, private string $appSecret)
    {
    }

    /**
     * @param string $target path and query exactly as sent, still percent-encoded, a base path included
     * @param string|null $body exactly as sent; null or empty for none
     * @param bool $plusLiteral whether "+" in the query is a plus sign rather than a space
     * @return array<string, string> the three headers that the request must carry
     * @throws \InvalidArgumentException for a request that no server could accept
     */
    public function sign(
        string $method,
        string $target,
        ?string $body = null,
        ?int $timestamp = null,
        ?string $nonce = null,
        bool $omitContentMd5 = false,
        bool $plusLiteral = false,
    ): array {
        $timestamp = (string) ($timestamp ?? time());
        $nonce ??= self::newUuid();
        if (preg_match('/\A[^\p{Cc}]{1,36}\z/u', $nonce) !== 1) {
            throw new \InvalidArgumentException(
                'a nonce has 1 to 36 characters, none of them a control character',
            );
        }
        $text = self::stringToSign(
            $method,
            self::contentMd5($method, $body ?? '', $omitContentMd5),
            $timestamp,
            $nonce,
            self::canonicalResource($target, $plusLiteral),
        );
        return [
            'Authorization' => self::authorization($this->appId, self::signature($this->appSecret, $text)),
            'Timestamp' => $timestamp,
            'Nonce' => $nonce,
        ];
    }

    /** Base64 of the body's MD5, or null when it is not part of what is signed. $omit is for image uploads. */
    public static function contentMd5(string $method, string $body, bool $omit = false): ?string
    {
        if ($omit || ($body === '' && !in_array(strtoupper($method), ['POST', 'PUT'], true))) {
            return null;
        }
        return base64_encode(md5($body, true));
    }

    /** The path as sent, and the decoded parameters sorted by name. */
    public static function canonicalResource(string $target, bool $plusLiteral = false): string
    {
        [$path, $query] = explode('?', $target, 2) + [1 => ''];
        $parameters = [];
        foreach (explode('&', $query) as $piece) {
            if ($piece !== '') {
                [$name, $value] = explode('=', $piece, 2) + [1 => ''];
                $parameters[] = [self::decode($name, $plusLiteral), self::decode($value, $plusLiteral)];
            }
        }
        // By UTF-16 code unit; strcmp compares bytes, and usort keeps the order of repeated names.
        usort($parameters, fn ($a, $b) => strcmp(self::utf16($a[0]), self::utf16($b[0])));
        $pairs = array_map(fn ($parameter) => "$parameter[0]=$parameter[1]", $parameters);
        return $pairs === [] ? $path : $path . '?' . implode('&', $pairs);
    }

    public static function stringToSign(
        string $method,
        ?string $md5,
        string $timestamp,
        string $nonce,
        string $resource,
    ): string {
        $parts = [strtoupper($method), $md5, $timestamp, $nonce, $resource];
        return implode("\n", array_filter($parts, fn ($part) => $part !== null));
    }

    public static function signature(string $appSecret, string $text): string
    {
        return base64_encode(hash_hmac('sha256', $text, $appSecret, true));
    }

    public static function authorization(string $appId, string $signature): string
    {
        return "cbs:$appId:$signature";
    }

    private static function decode(string $encoded, bool $plusLiteral): string
    {
        // PHP's own decoder leaves a "%" without two hexadecimal digits as it is, and a server refuses it.
        if (preg_match('/%(?![0-9A-Fa-f]{2})/', $encoded) === 1) {
            throw new \InvalidArgumentException("malformed percent-encoding in $encoded");
        }
        $text = $plusLiteral ? rawurldecode($encoded) : urldecode($encoded);
        if (preg_match('//u', $text) !== 1) {
            throw new \InvalidArgumentException("percent-encoded bytes in $encoded are not UTF-8");
        }
        return $text;
    }

    private static function utf16(string $text): string
    {
        return iconv('UTF-8', 'UTF-16BE', $text);
    }

    private static function newUuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}

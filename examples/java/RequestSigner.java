import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests of the cbs scheme. Copy this file into your project: it needs Java 8 or later and nothing else. */
public final class RequestSigner {
    /** The three headers that a request must carry. */
    public static final class Headers {
        private final String authorization;
        private final String timestamp;
        private final String nonce;

        Headers(String authorization, String timestamp, String nonce) {
            this.authorization = authorization;
            this.timestamp = timestamp;
            this.nonce = nonce;
        }

        public String authorization() {
            return authorization;
        }

        public String timestamp() {
            return timestamp;
        }

        public String nonce() {
            return nonce;
        }
    }

    private static final class Parameter {
        final String name;
        final String value;

        Parameter(String name, String value) {
            this.name = name;
            this.value = value;
        }
    }

    private final String appId;
    private final String appSecret;

    public RequestSigner(String appId, String appSecret) {
        this.appId = appId;
        this.appSecret = appSecret;
    }

    /**
     * Signs a request with the current time and a random UUID as nonce.
     *
     * @param target path and query exactly as sent, still percent-encoded, a base path included
     * @param body exactly as sent; null or empty for none
     * @throws IllegalArgumentException for a request that no server could accept
     */
    public Headers sign(String method, String target, byte[] body) {
        long now = Instant.now().getEpochSecond();
        return sign(method, target, body, now, UUID.randomUUID().toString(), false, false);
    }

    /**
     * @param omitContentMd5 true for image uploads
     * @param plusLiteral whether "+" in the query is a plus sign rather than a space
     */
    public Headers sign(
            String method, String target, byte[] body, long timestamp, String nonce,
            boolean omitContentMd5, boolean plusLiteral) {
        int characters = nonce.codePointCount(0, nonce.length());
        if (characters < 1 || characters > 36 || nonce.codePoints().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "a nonce has 1 to 36 characters, none of them a control character");
        }
        String seconds = Long.toString(timestamp);
        String md5 = contentMd5(method, body, omitContentMd5);
        String text = stringToSign(method, md5, seconds, nonce, canonicalResource(target, plusLiteral));
        return new Headers(authorization(appId, signature(appSecret, text)), seconds, nonce);
    }

    /** Base64 of the body's MD5, or null when it is not part of what is signed. */
    public static String contentMd5(String method, byte[] body, boolean omit) {
        boolean always = Arrays.asList("POST", "PUT").contains(method.toUpperCase(Locale.ROOT));
        byte[] bytes = body == null ? new byte[0] : body;
        if (omit || (bytes.length == 0 && !always)) {
            return null;
        }
        try {
            return Base64.getEncoder().encodeToString(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException("this Java has no MD5", error);
        }
    }

    /** The path as sent, and the decoded parameters sorted by name. */
    public static String canonicalResource(String target, boolean plusLiteral) {
        String[] parts = target.split("\\?", 2);
        List<Parameter> parameters = new ArrayList<>();
        for (String piece : (parts.length == 1 ? "" : parts[1]).split("&")) {
            if (!piece.isEmpty()) {
                String[] pair = piece.split("=", 2);
                String value = pair.length == 1 ? "" : decode(pair[1], plusLiteral);
                parameters.add(new Parameter(decode(pair[0], plusLiteral), value));
            }
        }
        if (parameters.isEmpty()) {
            return parts[0];
        }
        // Java compares strings by UTF-16 code unit, as the scheme does, and this sort is stable.
        parameters.sort(Comparator.comparing(parameter -> parameter.name));
        return parameters.stream()
                .map(parameter -> parameter.name + "=" + parameter.value)
                .collect(Collectors.joining("&", parts[0] + "?", ""));
    }

    public static String stringToSign(
            String method, String md5, String timestamp, String nonce, String resource) {
        return Stream.of(method.toUpperCase(Locale.ROOT), md5, timestamp, nonce, resource)
                .filter(part -> part != null)
                .collect(Collectors.joining("\n"));
    }

    public static String signature(String appSecret, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(appSecret.getBytes(UTF_8), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException("this Java has no HMAC-SHA256", error);
        }
    }

    public static String authorization(String appId, String signature) {
        return "cbs:" + appId + ":" + signature;
    }

    // URLDecoder puts U+FFFD in place of bytes that are not UTF-8, and a server would refuse what it signed.
    private static String decode(String encoded, boolean plusLiteral) {
        byte[] bytes = (plusLiteral ? encoded : encoded.replace('+', ' ')).getBytes(UTF_8);
        ByteArrayOutputStream decoded = new ByteArrayOutputStream();
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '%') {
                decoded.write(16 * hexDigit(bytes, i + 1) + hexDigit(bytes, i + 2));
                i += 2;
            } else {
                decoded.write(bytes[i]);
            }
        }
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(decoded.toByteArray())).toString();
        } catch (CharacterCodingException error) {
            throw new IllegalArgumentException("percent-encoded bytes in " + encoded + " are not UTF-8", error);
        }
    }

    private static int hexDigit(byte[] bytes, int index) {
        int digit = index < bytes.length ? Character.digit(bytes[index], 16) : -1;
        if (digit < 0) {
            throw new IllegalArgumentException("a \"%\" in the query is not followed by two hexadecimal digits");
        }
        return digit;
    }
}

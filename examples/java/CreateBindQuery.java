import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Creates a user, binds it to a role, an organization and a store, and queries it. See README.md. */
public final class CreateBindQuery {
    /** The program cannot go on; the message says why. */
    private static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failure(String message) {
            super(message);
        }
    }

    // Java 17 writes in the console's encoding, which cannot hold every name.
    private static final PrintStream out = new PrintStream(System.out, true, UTF_8);

    private final Duration timeout = Duration.ofSeconds(Long.parseLong(optional("FIELDROSTER_TIMEOUT_SECONDS", "30")));
    private final HttpClient http = HttpClient.newBuilder().connectTimeout(timeout).build();
    private final String url;
    private final RequestSigner signer;

    private CreateBindQuery(String url, String appId, String appSecret) {
        this.url = url.replaceAll("/+$", "");
        this.signer = new RequestSigner(appId, appSecret);
    }

    public static void main(String[] arguments) throws InterruptedException {
        try {
            new CreateBindQuery(
                    required("FIELDROSTER_URL"), required("FIELDROSTER_APP_ID"), required("FIELDROSTER_APP_SECRET"))
                    .run();
        } catch (Failure | IOException | IllegalArgumentException error) {
            new PrintStream(System.err, true, UTF_8).println(error.getMessage());
            System.exit(1);
        }
    }

    private void run() throws IOException, InterruptedException {
        String username = optional("FIELDROSTER_USERNAME", "example-" + UUID.randomUUID());
        String storeCode = optional("FIELDROSTER_STORE_CODE", "N-001");
        long userId = (long) post("/user", Map.of(
                "username", username,
                "real_name", optional("FIELDROSTER_REAL_NAME", "Li Wei"),
                "password", optional("FIELDROSTER_PASSWORD", UUID.randomUUID().toString()))).get("id");
        out.println("created user " + userId);
        bind(userId, storeCode);
        query(userId, username, storeCode);
    }

    private void bind(long userId, String storeCode) throws IOException, InterruptedException {
        long roleId = Long.parseLong(optional("FIELDROSTER_ROLE_ID", "1"));
        post("/user/role", Map.of("user_id", userId, "role_id", roleId));
        out.println("bound to role " + roleId);
        long orgId = Long.parseLong(optional("FIELDROSTER_ORG_ID", "1"));
        post("/user/org", Map.of("user_id", userId, "org_id", orgId));
        out.println("bound to organization " + orgId);
        post("/user/store", Map.of("user_id", userId, "store_code", storeCode));
        out.println("bound to store " + storeCode);
    }

    private void query(long userId, String username, String storeCode)
            throws IOException, InterruptedException {
        Map<?, ?> found = call("GET", "/user", Map.of("username", username), "");
        out.printf("found user %d: %s (%s)%n", found.get("id"), found.get("username"), found.get("real_name"));
        out.println("its role: " + first(found, "roles").get("id"));
        out.println("its organization: " + first(found, "orgs").get("id"));
        Map<?, ?> stores = call("GET", "/user/store", Map.of("user_id", userId), "");
        out.println("its store: " + first(stores, "stores").get("code"));
        call("DELETE", "/user/store", Map.of("user_id", userId, "store_code", storeCode), "");
        out.println("unbound from store " + storeCode);
    }

    private Map<?, ?> post(String path, Map<String, Object> fields) throws IOException, InterruptedException {
        return call("POST", path, Map.of(), Json.object(fields));
    }

    private Map<?, ?> call(String method, String path, Map<String, Object> query, String json)
            throws IOException, InterruptedException {
        URI uri = URI.create(url + path + (query.isEmpty() ? "" : "?" + encode(query)));
        String target = uri.getRawPath() + (query.isEmpty() ? "" : "?" + uri.getRawQuery());
        // Encoded once: the bytes that are signed are the bytes that are sent.
        byte[] body = json.getBytes(UTF_8);
        RequestSigner.Headers headers = signer.sign(method, target, body);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .timeout(timeout)
                .header("Authorization", headers.authorization())
                .header("Timestamp", headers.timestamp())
                .header("Nonce", headers.nonce())
                .header("Content-Type", "application/json")
                .build();
        Object envelope = Json.parse(http.send(request, BodyHandlers.ofString(UTF_8)).body());
        if (!(envelope instanceof Map<?, ?> map && map.get("code") instanceof Long)) {
            throw new Failure(method + " " + path + " was answered without a code; check FIELDROSTER_URL");
        }
        return dataOf((Map<?, ?>) envelope, method + " " + path);
    }

    /** The envelope's code says what happened, not the HTTP status. */
    private static Map<?, ?> dataOf(Map<?, ?> envelope, String operation) {
        if (!Long.valueOf(0).equals(envelope.get("code"))) {
            throw new Failure(
                    operation + " failed with code " + envelope.get("code") + ": " + envelope.get("message"));
        }
        return (Map<?, ?>) envelope.get("data");
    }

    private static Map<?, ?> first(Map<?, ?> data, String list) {
        return (Map<?, ?>) ((List<?>) data.get(list)).get(0);
    }

    private static String encode(Map<String, Object> query) {
        return query.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue().toString(), UTF_8))
                .collect(Collectors.joining("&"));
    }

    private static String required(String name) {
        String value = optional(name, "");
        if (value.isEmpty()) {
            throw new Failure("set the environment variable " + name);
        }
        return value;
    }

    private static String optional(String name, String fallback) {
        String value = System.getenv(name);
        return value == null || value.isEmpty() ? fallback : value;
    }
}

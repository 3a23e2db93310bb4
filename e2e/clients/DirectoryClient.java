import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A client as integrators write them in Java, without libraries: it walks through the interface once, by
 * HttpURLConnection ("connection") or by java.net.http ("client"). Usage: URL APPID APPSECRET PREFIX TRANSPORT...
 */
public class DirectoryClient {
  /** In UTF-8 wherever it runs: System.out takes the encoding of the locale, which may know only ASCII. */
  private static final PrintStream OUTPUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private final String url;
  private final String appId;
  private final String appSecret;
  private final String transport;
  private final HttpClient client = HttpClient.newHttpClient();

  DirectoryClient(String url, String appId, String appSecret, String transport) {
    this.url = url;
    this.appId = appId;
    this.appSecret = appSecret;
    this.transport = transport;
  }

  public static void main(String[] arguments) throws Exception {
    for (int index = 4; index < arguments.length; index++) {
      String transport = arguments[index];
      new DirectoryClient(arguments[0], arguments[1], arguments[2], transport).walk(arguments[3] + transport);
    }
  }

  private void walk(String prefix) throws Exception {
    String username = prefix + " a+b&c=d%40 李娜 🙂";
    String unset = "\"real_name\":null,\"email\":null,\"phone\":null,\"department\":null,\"gender\":0";
    String created = expect(0, call("POST", "/user", null,
        "{\"username\":" + quote(username) + ",\"password\":\"secret\"," + unset + "}"));
    String id = group("\"id\":(\\d+)", created);
    String found = expect(0, call("GET", "/user", Map.of("username", username, "name", "李娜"), null));
    require(found.contains("\"id\":" + id) && found.contains(quote(username)), found);
    expect(0, call("PUT", "/user", null,
        "{\"id\":" + id + ",\"username\":" + quote(username) + "," + unset + ",\"nickname\":\"\\u5a1c\"}"));
    expect(0, call("POST", "/user/role", null, "{\"user_id\":" + id + ",\"role_id\":12}"));
    String roles = expect(0, call("GET", "/user/role", Map.of("user_id", id), null));
    require(roles.contains("\"id\":12"), roles);
    expect(0, call("POST", "/user/org", null, "{ \"user_id\" : " + id + ",\n \"org_id\" : 22 }"));
    expect(0, call("POST", "/user/store", null, "{\"store_code\":\"S000004\",\"user_id\":" + id + "}"));
    String stores = expect(0, call("GET", "/user/store", Map.of("user_id", id), null));
    require(stores.contains("\"S000004\""), stores);
    expect(0, call("DELETE", "/user/store", Map.of("user_id", id, "store_code", "S000004"), null));
    expect(1402, call("DELETE", "/user/store", Map.of("user_id", id, "store_code", "S000004"), null));
    expect(0, call("POST", "/user/stores", null, "{\"username\":" + quote(username)
        + ",\"password\":null,\"phone\":null,\"store_codes\":[\"S000002\",\"S000003\"]}"));
    expect(0, call("DELETE", "/user/role", Map.of("user_id", id, "role_id", "12"), null));
    expect(0, call("DELETE", "/user/org", Map.of("user_id", id, "org_id", "22"), null));
    OUTPUT.println("{\"id\":" + id + ",\"username\":" + quote(username) + "}");
  }

  private String call(String method, String path, Map<String, String> query, String body) throws Exception {
    String target = query == null ? path : path + "?" + encode(query);
    byte[] bytes = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
    String timestamp = String.valueOf(System.currentTimeMillis() / 1000);
    String nonce = UUID.randomUUID().toString();
    StringBuilder text = new StringBuilder(method).append('\n');
    if (method.equals("POST") || method.equals("PUT")) {
      byte[] md5 = MessageDigest.getInstance("MD5").digest(bytes);
      text.append(Base64.getEncoder().encodeToString(md5)).append('\n');
    }
    text.append(timestamp).append('\n').append(nonce).append('\n').append(canonicalResource(target));
    Map<String, String> headers = Map.of(
        "Authorization", "cbs:" + appId + ":" + sign(text.toString()),
        "Timestamp", timestamp,
        "Nonce", nonce,
        "Content-Type", "application/json");
    return transport.equals("connection")
        ? byConnection(method, target, headers, bytes)
        : byClient(method, target, headers, bytes);
  }

  private String byConnection(String method, String target, Map<String, String> headers, byte[] body)
      throws IOException {
    HttpURLConnection connection = (HttpURLConnection) new URL(url + target).openConnection();
    connection.setRequestMethod(method);
    headers.forEach(connection::setRequestProperty);
    if (body.length > 0) {
      connection.setDoOutput(true);
      try (OutputStream out = connection.getOutputStream()) {
        out.write(body);
      }
    }
    require(connection.getResponseCode() == 200, "HTTP " + connection.getResponseCode());
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String byClient(String method, String target, Map<String, String> headers, byte[] body)
      throws Exception {
    HttpRequest.BodyPublisher publisher =
        body.length > 0 ? HttpRequest.BodyPublishers.ofByteArray(body) : HttpRequest.BodyPublishers.noBody();
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + target)).method(method, publisher);
    headers.forEach(request::header);
    // The default version asks for HTTP/2 by an Upgrade header, which a server may decline.
    HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    require(response.statusCode() == 200, "HTTP " + response.statusCode());
    return response.body();
  }

  private String sign(String text) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(appSecret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** The form encoding of URLEncoder, in which a space is a plus sign. */
  private static String encode(Map<String, String> query) {
    StringBuilder text = new StringBuilder();
    query.forEach((name, value) -> text.append(text.length() == 0 ? "" : "&").append(name).append('=')
        .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return text.toString();
  }

  private static String canonicalResource(String target) {
    int mark = target.indexOf('?');
    if (mark == -1) {
      return target;
    }
    Map<String, String> sorted = new TreeMap<>();
    for (String pair : target.substring(mark + 1).split("&")) {
      String[] parts = pair.split("=", 2);
      sorted.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    StringBuilder text = new StringBuilder(target.substring(0, mark));
    String separator = "?";
    for (Map.Entry<String, String> entry : sorted.entrySet()) {
      text.append(separator).append(entry.getKey()).append('=').append(entry.getValue());
      separator = "&";
    }
    return text.toString();
  }

  private static String expect(int code, String answer) {
    require(group("^\\{\"code\":(\\d+)", answer).equals(String.valueOf(code)), answer);
    return answer;
  }

  private static String group(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    require(matcher.find(), text);
    return matcher.group(1);
  }

  private static String quote(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static void require(boolean condition, String found) {
    if (!condition) {
      throw new IllegalStateException("unexpected: " + found);
    }
  }
}

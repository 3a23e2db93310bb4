import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends bodies over the limit and prints what the sender gets to read. Usage: URL, then path and bytes, repeated. */
public class OversizedBody {
  public static void main(String[] arguments) throws IOException {
    for (int index = 1; index < arguments.length; index += 2) {
      send(arguments[0] + arguments[index], Integer.parseInt(arguments[index + 1]));
    }
  }

  private static void send(String url, int size) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    connection.setRequestProperty("Content-Type", "application/json");
    byte[] body = new byte[size];
    Arrays.fill(body, (byte) 'x');
    try (OutputStream out = connection.getOutputStream()) {
      out.write(body);
    }
    int status = connection.getResponseCode();
    String text = new String(connection.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher code = Pattern.compile("\"code\":(\\d+)").matcher(text);
    System.out.println("{\"status\":" + status + ",\"code\":" + (code.find() ? code.group(1) : "null") + "}");
  }
}

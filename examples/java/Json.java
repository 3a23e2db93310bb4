import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes just enough JSON for the example, as Java's standard library has none. Use the JSON
 * library of your project instead, and have it read ids as long: a double rounds them above 2^53.
 */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Objects become maps, arrays lists, integers longs; fractions become doubles. */
    static Object parse(String text) {
        Json reader = new Json(text);
        Object value = reader.value();
        reader.demand(reader.peek() == 0, "the end");
        return value;
    }

    static String object(Map<String, Object> fields) {
        List<String> members = new ArrayList<>();
        fields.forEach((name, value) ->
                members.add(quote(name) + ":" + (value instanceof Number ? value : quote(value.toString()))));
        return "{" + String.join(",", members) + "}";
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char unit : text.toCharArray()) {
            boolean plain = unit >= ' ' && unit != '"' && unit != '\\';
            quoted.append(plain ? String.valueOf(unit) : String.format("\\u%04x", (int) unit));
        }
        return quoted.append('"').toString();
    }

    private Object value() {
        switch (peek()) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            default:
                return literal();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        at++;
        while (peek() != '}') {
            demand(object.isEmpty() || take(','), "a comma");
            demand(peek() == '"', "a name");
            String name = string();
            demand(take(':'), "a colon");
            object.put(name, value());
        }
        at++;
        return object;
    }

    private List<Object> array() {
        List<Object> array = new ArrayList<>();
        at++;
        while (peek() != ']') {
            demand(array.isEmpty() || take(','), "a comma");
            array.add(value());
        }
        at++;
        return array;
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        for (at++; peekRaw() != '"'; at++) {
            demand(peekRaw() != 0, "a quotation mark");
            string.append(text.charAt(at) == '\\' ? escape() : text.charAt(at));
        }
        at++;
        return string.toString();
    }

    private char escape() {
        char kind = text.charAt(++at);
        if (kind == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
        }
        int control = "bfnrt".indexOf(kind);
        return control < 0 ? kind : "\b\f\n\r\t".charAt(control);
    }

    private Object literal() {
        int start = at;
        while (peekRaw() != 0 && ",]} \t\r\n".indexOf(peekRaw()) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        switch (word) {
            case "null":
                return null;
            case "true":
            case "false":
                return Boolean.valueOf(word);
            default:
                return word.matches("-?\\d+") ? (Object) Long.valueOf(word) : Double.valueOf(word);
        }
    }

    private boolean take(char expected) {
        boolean found = peek() == expected;
        at += found ? 1 : 0;
        return found;
    }

    private char peek() {
        while (peekRaw() != 0 && Character.isWhitespace(peekRaw())) {
            at++;
        }
        return peekRaw();
    }

    private char peekRaw() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void demand(boolean condition, String expected) {
        if (!condition) {
            throw new IllegalArgumentException("the answer is not JSON: no " + expected + " at " + at);
        }
    }
}

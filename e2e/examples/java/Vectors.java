import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Objects;

/**
 * Runs the signer on a file of vectors and exits 1 on any difference. Each line holds one vector's fields in
 * Base64, separated by commas; "-" is null.
 */
public final class Vectors {
    private int stages;
    private int signed;
    private int refused;
    private int differences;

    public static void main(String[] arguments) throws IOException {
        Vectors run = new Vectors();
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            run.check(new Vector(line.split(",", -1)));
        }
        System.out.printf("stages=%d signed=%d refused=%d%n", run.stages, run.signed, run.refused);
        System.exit(run.differences == 0 ? 0 : 1);
    }

    private void check(Vector vector) {
        if (vector.text(13) != null) {
            checkStages(vector);
        }
        // The signer's timestamp is a number, so that a text which is none cannot be given to it.
        if (vector.text(10).isEmpty()) {
            checkSigner(vector);
        } else if (vector.text(10).equals("refuses") && vector.text(5).matches("[0-9]+")) {
            checkRefusal(vector);
        }
    }

    private void checkStages(Vector vector) {
        String method = vector.text(3);
        String md5 = RequestSigner.contentMd5(method, vector.bytes(7), vector.omitContentMd5());
        String resource = RequestSigner.canonicalResource(vector.text(4), vector.plusLiteral());
        String text = RequestSigner.stringToSign(method, md5, vector.text(5), vector.text(6), resource);
        String signature = RequestSigner.signature(vector.text(2), text);
        expect(vector, "contentMd5", md5, 11);
        expect(vector, "canonicalResource", resource, 12);
        expect(vector, "stringToSign", text, 13);
        expect(vector, "signature", signature, 14);
        expect(vector, "authorization", RequestSigner.authorization(vector.text(1), signature), 15);
        stages++;
    }

    private void checkSigner(Vector vector) {
        RequestSigner.Headers headers = vector.sign();
        expect(vector, "Authorization", headers.authorization(), 15);
        expect(vector, "Timestamp", headers.timestamp(), 5);
        expect(vector, "Nonce", headers.nonce(), 6);
        signed++;
    }

    private void checkRefusal(Vector vector) {
        try {
            vector.sign();
            differences++;
            System.err.println(vector.text(0) + ": was signed, expected an error");
        } catch (IllegalArgumentException expected) {
            refused++;
        }
    }

    private void expect(Vector vector, String stage, String actual, int field) {
        if (!Objects.equals(actual, vector.text(field))) {
            differences++;
            System.err.printf("%s: %s is %s, expected %s%n", vector.text(0), stage, actual, vector.text(field));
        }
    }

    private record Vector(String[] fields) {
        byte[] bytes(int field) {
            return Base64.getDecoder().decode(fields[field]);
        }

        String text(int field) {
            return fields[field].equals("-") ? null : new String(bytes(field), UTF_8);
        }

        boolean omitContentMd5() {
            return text(8).equals("true");
        }

        boolean plusLiteral() {
            return text(9).equals("literal");
        }

        /** No body is null here, and no bytes in the stages: a signer takes both. */
        RequestSigner.Headers sign() {
            byte[] body = bytes(7).length == 0 ? null : bytes(7);
            return new RequestSigner(text(1), text(2)).sign(
                    text(3), text(4), body, Long.parseLong(text(5)), text(6), omitContentMd5(), plusLiteral());
        }
    }
}

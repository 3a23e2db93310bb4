using System;
using System.IO;
using System.Text;
using System.Text.RegularExpressions;

namespace Fieldroster.Example
{
    /// <summary>
    /// Runs the signer on a file of vectors and exits 1 on any difference. Each line holds one vector's fields
    /// in Base64, separated by commas; "-" is null.
    /// </summary>
    public static class Vectors
    {
        private static int stages, signed, refused, differences;

        public static int Main(string[] arguments)
        {
            foreach (var line in File.ReadAllLines(arguments[0]))
            {
                Check(line.Split(','));
            }
            Console.WriteLine($"stages={stages} signed={signed} refused={refused}");
            return differences == 0 ? 0 : 1;
        }

        private static void Check(string[] vector)
        {
            if (Text(vector[13]) != null)
            {
                CheckStages(vector);
            }
            // The signer takes its timestamp as a number, so it cannot be given any other text.
            if (Text(vector[10]) == "")
            {
                CheckSigner(vector);
            }
            else if (Text(vector[10]) == "refuses" && Regex.IsMatch(Text(vector[5]), "^[0-9]+$"))
            {
                CheckRefusal(vector);
            }
        }

        private static void CheckStages(string[] vector)
        {
            var method = Text(vector[3]);
            var md5 = RequestSigner.ContentMd5(method, Bytes(vector[7]), OmitContentMd5(vector));
            var resource = RequestSigner.CanonicalResource(Text(vector[4]), PlusLiteral(vector));
            var text = RequestSigner.StringToSign(method, md5, Text(vector[5]), Text(vector[6]), resource);
            var signature = RequestSigner.Signature(Text(vector[2]), text);
            Expect(vector, "contentMd5", md5, 11);
            Expect(vector, "canonicalResource", resource, 12);
            Expect(vector, "stringToSign", text, 13);
            Expect(vector, "signature", signature, 14);
            Expect(vector, "authorization", RequestSigner.Authorization(Text(vector[1]), signature), 15);
            stages++;
        }

        private static void CheckSigner(string[] vector)
        {
            var headers = Sign(vector);
            Expect(vector, "Authorization", headers.Authorization, 15);
            Expect(vector, "Timestamp", headers.Timestamp, 5);
            Expect(vector, "Nonce", headers.Nonce, 6);
            signed++;
        }

        private static void CheckRefusal(string[] vector)
        {
            try
            {
                Sign(vector);
                differences++;
                Console.Error.WriteLine(Text(vector[0]) + ": was signed, expected an error");
            }
            catch (ArgumentException)
            {
                refused++;
            }
        }

        private static SignedHeaders Sign(string[] vector)
        {
            return new RequestSigner(Text(vector[1]), Text(vector[2])).Sign(
                Text(vector[3]), Text(vector[4]), Bytes(vector[7]), long.Parse(Text(vector[5])), Text(vector[6]),
                OmitContentMd5(vector), PlusLiteral(vector));
        }

        private static bool OmitContentMd5(string[] vector)
        {
            return Text(vector[8]) == "true";
        }

        private static bool PlusLiteral(string[] vector)
        {
            return Text(vector[9]) == "literal";
        }

        private static void Expect(string[] vector, string stage, string actual, int field)
        {
            if (actual != Text(vector[field]))
            {
                differences++;
                Console.Error.WriteLine($"{Text(vector[0])}: {stage} is {actual}, expected {Text(vector[field])}");
            }
        }

        private static byte[] Bytes(string field)
        {
            return Convert.FromBase64String(field);
        }

        private static string Text(string field)
        {
            return field == "-" ? null : Encoding.UTF8.GetString(Bytes(field));
        }
    }
}

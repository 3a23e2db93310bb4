using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Threading.Tasks;

namespace Fieldroster.Example
{
    /// <summary>Creates a user, binds it to a role, an organization and a store, and queries it.</summary>
    public static class CreateBindQuery
    {
        public static int Main()
        {
            return Outcome().GetAwaiter().GetResult();
        }

        private static async Task<int> Outcome()
        {
            Console.OutputEncoding = new UTF8Encoding(false);
            try
            {
                var timeout = TimeSpan.FromSeconds(Number("FIELDROSTER_TIMEOUT_SECONDS", "30"));
                var client = new Client(
                    Required("FIELDROSTER_URL"), Required("FIELDROSTER_APP_ID"), Required("FIELDROSTER_APP_SECRET"),
                    timeout);
                await Run(client);
                return 0;
            }
            catch (TaskCanceledException)
            {
                Console.Error.WriteLine("no answer came in time; the last call may have taken effect");
                return 1;
            }
            catch (Exception error) when (
                error is Failure || error is HttpRequestException || error is SerializationException)
            {
                Console.Error.WriteLine(error.Message);
                return 1;
            }
        }

        private static async Task Run(Client client)
        {
            var username = Optional("FIELDROSTER_USERNAME", "example-" + Guid.NewGuid());
            var storeCode = Optional("FIELDROSTER_STORE_CODE", "N-001");
            var created = await client.Post("/user", new NewUser
            {
                Username = username,
                RealName = Optional("FIELDROSTER_REAL_NAME", "Li Wei"),
                Password = Optional("FIELDROSTER_PASSWORD", Guid.NewGuid().ToString()),
            });
            Console.WriteLine("created user " + created.Id);
            await Bind(client, created.Id, storeCode);
            await Query(client, created.Id, username, storeCode);
        }

        private static async Task Bind(Client client, long userId, string storeCode)
        {
            var roleId = Number("FIELDROSTER_ROLE_ID", "1");
            await client.Post("/user/role", new RoleBinding { UserId = userId, RoleId = roleId });
            Console.WriteLine("bound to role " + roleId);
            var orgId = Number("FIELDROSTER_ORG_ID", "1");
            await client.Post("/user/org", new OrgBinding { UserId = userId, OrgId = orgId });
            Console.WriteLine("bound to organization " + orgId);
            await client.Post("/user/store", new StoreBinding { UserId = userId, StoreCode = storeCode });
            Console.WriteLine("bound to store " + storeCode);
        }

        private static async Task Query(Client client, long userId, string username, string storeCode)
        {
            var found = await client.Call("GET", "/user" + Query(("username", username)));
            Console.WriteLine($"found user {found.Id}: {found.Username} ({found.RealName})");
            Console.WriteLine("its role: " + found.Roles[0].Id);
            Console.WriteLine("its organization: " + found.Orgs[0].Id);
            var stores = await client.Call("GET", "/user/store" + Query(("user_id", userId.ToString())));
            Console.WriteLine("its store: " + stores.Stores[0].Code);
            var binding = Query(("user_id", userId.ToString()), ("store_code", storeCode));
            await client.Call("DELETE", "/user/store" + binding);
            Console.WriteLine("unbound from store " + storeCode);
        }

        private static string Query(params (string Name, string Value)[] parameters)
        {
            return "?" + string.Join("&", parameters.Select(p => p.Name + "=" + Uri.EscapeDataString(p.Value)));
        }

        private static string Required(string name)
        {
            var value = Optional(name, "");
            return value == "" ? throw new Failure("set the environment variable " + name) : value;
        }

        private static long Number(string name, string fallback)
        {
            var text = Optional(name, fallback);
            return long.TryParse(text, out var number) ? number : throw new Failure(name + " is not an integer: " + text);
        }

        private static string Optional(string name, string fallback)
        {
            var value = Environment.GetEnvironmentVariable(name);
            return string.IsNullOrEmpty(value) ? fallback : value;
        }
    }

    /// <summary>The program cannot go on; the message says why.</summary>
    public sealed class Failure : Exception
    {
        public Failure(string message) : base(message)
        {
        }
    }

    public sealed class Client
    {
        private readonly HttpClient http;
        private readonly string url;
        private readonly RequestSigner signer;

        public Client(string url, string appId, string appSecret, TimeSpan timeout)
        {
            http = new HttpClient { Timeout = timeout };
            this.url = url.TrimEnd('/');
            signer = new RequestSigner(appId, appSecret);
            // Mono 6.8 now and then aborts when its process ends with a connection kept open. Leave this out
            // under .NET and in a service, where one connection serves many calls.
            http.DefaultRequestHeaders.ConnectionClose = true;
        }

        public Task<Data> Post<T>(string path, T fields)
        {
            var json = new MemoryStream();
            new DataContractJsonSerializer(typeof(T)).WriteObject(json, fields);
            return Call("POST", path, json.ToArray());
        }

        public async Task<Data> Call(string method, string pathAndQuery, byte[] body = null)
        {
            var request = new HttpRequestMessage(new HttpMethod(method), url + pathAndQuery);
            if (body != null)
            {
                request.Content = new ByteArrayContent(body);
                request.Content.Headers.TryAddWithoutValidation("Content-Type", "application/json");
            }
            // Sign the URL that the client will send, which may differ from the one it was given.
            var headers = signer.Sign(method, request.RequestUri.PathAndQuery, body);
            request.Headers.TryAddWithoutValidation("Authorization", headers.Authorization);
            request.Headers.TryAddWithoutValidation("Timestamp", headers.Timestamp);
            request.Headers.TryAddWithoutValidation("Nonce", headers.Nonce);
            using (var response = await http.SendAsync(request))
            using (var stream = await response.Content.ReadAsStreamAsync())
            {
                var envelope = (Envelope)new DataContractJsonSerializer(typeof(Envelope)).ReadObject(stream);
                // The envelope's code says what happened, not the HTTP status.
                return envelope.Code == 0
                    ? envelope.Data
                    : throw new Failure(
                        $"{method} {request.RequestUri.AbsolutePath} failed with code {envelope.Code}: {envelope.Message}");
            }
        }
    }

    [DataContract]
    public sealed class Envelope
    {
        [DataMember(Name = "code", IsRequired = true)] public int Code;
        [DataMember(Name = "message")] public string Message;
        [DataMember(Name = "data")] public Data Data;
    }

    /// <summary>The fields of all answers that the example reads.</summary>
    [DataContract]
    public sealed class Data
    {
        [DataMember(Name = "id")] public long Id;
        [DataMember(Name = "username")] public string Username;
        [DataMember(Name = "real_name")] public string RealName;
        [DataMember(Name = "roles")] public List<Entry> Roles;
        [DataMember(Name = "orgs")] public List<Entry> Orgs;
        [DataMember(Name = "stores")] public List<Entry> Stores;
    }

    [DataContract]
    public sealed class Entry
    {
        [DataMember(Name = "id")] public long Id;
        [DataMember(Name = "code")] public string Code;
    }

    [DataContract]
    public sealed class NewUser
    {
        [DataMember(Name = "username")] public string Username;
        [DataMember(Name = "real_name")] public string RealName;
        [DataMember(Name = "password")] public string Password;
    }

    [DataContract]
    public sealed class RoleBinding
    {
        [DataMember(Name = "user_id")] public long UserId;
        [DataMember(Name = "role_id")] public long RoleId;
    }

    [DataContract]
    public sealed class OrgBinding
    {
        [DataMember(Name = "user_id")] public long UserId;
        [DataMember(Name = "org_id")] public long OrgId;
    }

    [DataContract]
    public sealed class StoreBinding
    {
        [DataMember(Name = "user_id")] public long UserId;
        [DataMember(Name = "store_code")] public string StoreCode;
    }
}

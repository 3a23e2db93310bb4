<?php

// Creates a user, binds it to a role, an organization and a store, and queries it. See README.md.

declare(strict_types=1);

use Fieldroster\RequestSigner;

require __DIR__ . '/RequestSigner.php';

final class Client
{
    private RequestSigner $signer;

    private string $origin;

    private string $basePath;

    public function __construct(string $url, string $appId, string $appSecret)
    {
        $this->signer = new RequestSigner($appId, $appSecret);
        $this->basePath = rtrim(parse_url($url, PHP_URL_PATH) ?? '', '/');
        $this->origin = preg_replace('~^(\w+://[^/]+).*~', '$1', $url);
    }

    /**
     * @param array<string, int|string> $query
     * @param array<string, int|string>|null $fields
     */
    public function call(string $method, string $path, array $query = [], ?array $fields = null): ?array
    {
        $target = $this->basePath . $path . ($query === [] ? '' : '?' . http_build_query($query));
        // Serialised once: the bytes that are signed are the bytes that are sent.
        $body = $fields === null ? '' : json_encode($fields, JSON_THROW_ON_ERROR);
        $headers = $this->signer->sign($method, $target, $body) + ['Content-Type' => 'application/json'];
        $envelope = json_decode($this->send($method, $target, $body, $headers), true, 512, JSON_THROW_ON_ERROR);
        if (!is_int($envelope['code'] ?? null)) {
            throw new RuntimeException("$method $path was answered without a code; check FIELDROSTER_URL");
        }
        if ($envelope['code'] !== 0) {
            throw new RuntimeException("$method $path failed with code $envelope[code]: $envelope[message]");
        }
        return $envelope['data'] ?? null;
    }

    /** @param array<string, string> $headers */
    private function send(string $method, string $target, string $body, array $headers): string
    {
        $lines = array_map(fn ($name, $value) => "$name: $value", array_keys($headers), $headers);
        $http = ['method' => $method, 'header' => $lines, 'content' => $body];
        $http['timeout'] = (float) number('FIELDROSTER_TIMEOUT_SECONDS', '30');
        // The envelope says what happened, not the HTTP status. Without this option PHP drops the body.
        $http['ignore_errors'] = true;
        $answer = @file_get_contents($this->origin . $target, false, stream_context_create(['http' => $http]));
        if ($answer === false) {
            throw new RuntimeException(error_get_last()['message'] ?? 'no answer');
        }
        return $answer;
    }
}

function required(string $name): string
{
    $value = optional($name, '');
    if ($value === '') {
        throw new RuntimeException("set the environment variable $name");
    }
    return $value;
}

function number(string $name, string $fallback): int
{
    $text = optional($name, $fallback);
    $number = filter_var($text, FILTER_VALIDATE_INT);
    if ($number === false) {
        throw new RuntimeException("$name is not an integer: $text");
    }
    return $number;
}

function optional(string $name, string $fallback): string
{
    $value = getenv($name);
    return $value === false || $value === '' ? $fallback : $value;
}

function bind(Client $client, int $userId, string $storeCode): void
{
    $roleId = number('FIELDROSTER_ROLE_ID', '1');
    $client->call('POST', '/user/role', fields: ['user_id' => $userId, 'role_id' => $roleId]);
    echo "bound to role $roleId\n";
    $orgId = number('FIELDROSTER_ORG_ID', '1');
    $client->call('POST', '/user/org', fields: ['user_id' => $userId, 'org_id' => $orgId]);
    echo "bound to organization $orgId\n";
    $client->call('POST', '/user/store', fields: ['user_id' => $userId, 'store_code' => $storeCode]);
    echo "bound to store $storeCode\n";
}

function query(Client $client, int $userId, string $username, string $storeCode): void
{
    $found = $client->call('GET', '/user', ['username' => $username]);
    echo "found user $found[id]: $found[username] ($found[real_name])\n";
    echo "its role: {$found['roles'][0]['id']}\n";
    echo "its organization: {$found['orgs'][0]['id']}\n";
    $stores = $client->call('GET', '/user/store', ['user_id' => $userId])['stores'];
    echo "its store: {$stores[0]['code']}\n";
    $client->call('DELETE', '/user/store', ['user_id' => $userId, 'store_code' => $storeCode]);
    echo "unbound from store $storeCode\n";
}

try {
    $client = new Client(
        required('FIELDROSTER_URL'),
        required('FIELDROSTER_APP_ID'),
        required('FIELDROSTER_APP_SECRET'),
    );
    $username = optional('FIELDROSTER_USERNAME', 'example-' . bin2hex(random_bytes(12)));
    $storeCode = optional('FIELDROSTER_STORE_CODE', 'N-001');
    $created = $client->call('POST', '/user', fields: [
        'username' => $username,
        'real_name' => optional('FIELDROSTER_REAL_NAME', 'Li Wei'),
        'password' => optional('FIELDROSTER_PASSWORD', bin2hex(random_bytes(12))),
    ]);
    echo "created user $created[id]\n";
    bind($client, $created['id'], $storeCode);
    query($client, $created['id'], $username, $storeCode);
} catch (RuntimeException | InvalidArgumentException | JsonException $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}

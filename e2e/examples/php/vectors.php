<?php

// Runs the signer on the vectors of a directory: php vectors.php DIRECTORY. Exits 1 on any difference.

declare(strict_types=1);

use Fieldroster\RequestSigner;

require __DIR__ . '/../../../examples/php/RequestSigner.php';

final class VectorRun
{
    private array $counts = ['stages' => 0, 'signed' => 0, 'refused' => 0];

    private int $differences = 0;

    public function check(array $vector): void
    {
        if ($vector['stringToSign'] !== null) {
            $this->checkStages($vector);
        }
        // The signer's timestamp is a number, so that a text which is none cannot be given to it.
        if (!isset($vector['signer'])) {
            $this->checkSigner($vector);
        } elseif ($vector['signer'] === 'refuses' && preg_match('/\A[0-9]+\z/', $vector['timestamp']) === 1) {
            $this->checkRefusal($vector);
        }
    }

    public function report(): int
    {
        echo http_build_query($this->counts, '', ' '), "\n";
        return $this->differences === 0 ? 0 : 1;
    }

    private function checkStages(array $vector): void
    {
        ['method' => $method, 'timestamp' => $timestamp, 'nonce' => $nonce] = $vector;
        $md5 = RequestSigner::contentMd5($method, self::body($vector), $vector['omitContentMd5'] ?? false);
        $resource = RequestSigner::canonicalResource($vector['target'], ($vector['plus'] ?? '') === 'literal');
        $text = RequestSigner::stringToSign($method, $md5, $timestamp, $nonce, $resource);
        $signature = RequestSigner::signature($vector['appSecret'], $text);
        $this->expect($vector, 'contentMd5', $md5);
        $this->expect($vector, 'canonicalResource', $resource);
        $this->expect($vector, 'stringToSign', $text);
        $this->expect($vector, 'signature', $signature);
        $this->expect($vector, 'authorization', RequestSigner::authorization($vector['appId'], $signature));
        $this->counts['stages']++;
    }

    private function checkSigner(array $vector): void
    {
        foreach (self::sign($vector) as $name => $value) {
            $this->expect($vector, strtolower($name), $value);
        }
        $this->counts['signed']++;
    }

    private function checkRefusal(array $vector): void
    {
        try {
            self::sign($vector);
        } catch (InvalidArgumentException) {
            $this->counts['refused']++;
            return;
        }
        $this->expect(['outcome' => 'an error'] + $vector, 'outcome', 'signed');
    }

    /** No body is null here, and an empty string in the stages: a signer takes both. */
    private static function sign(array $vector): array
    {
        $body = self::body($vector);
        return (new RequestSigner($vector['appId'], $vector['appSecret']))->sign(
            $vector['method'],
            $vector['target'],
            $body === '' ? null : $body,
            (int) $vector['timestamp'],
            $vector['nonce'],
            $vector['omitContentMd5'] ?? false,
            ($vector['plus'] ?? 'space') === 'literal',
        );
    }

    private static function body(array $vector): string
    {
        return isset($vector['bodyBase64']) ? base64_decode($vector['bodyBase64']) : $vector['body'] ?? '';
    }

    private function expect(array $vector, string $stage, ?string $actual): void
    {
        if ($actual !== $vector[$stage]) {
            $this->differences++;
            $texts = array_map('json_encode', [$actual, $vector[$stage]]);
            fwrite(STDERR, "$vector[id]: $stage is $texts[0], expected $texts[1]\n");
        }
    }
}

$run = new VectorRun();
foreach (glob("$argv[1]/*.json") as $file) {
    foreach (json_decode(file_get_contents($file), true, 512, JSON_THROW_ON_ERROR)['vectors'] as $vector) {
        $run->check($vector);
    }
}
exit($run->report());

<?php
// afluente.php — PHP 8.1 o posterior con la extensión curl, sin Composer. Envía eventos a Afluente y comprueba los avisos que
// llegan de él.

declare(strict_types=1);

namespace Afluente;

/** Cómo llegar al servidor. */
final class Account
{
    public function __construct(
        /** https://afluente.example.mx/api/v1/events/lead-events/ */
        public readonly string $url,
        /** iss_… */
        public readonly string $apiKey,
        /** whsec_…, con el que se firma; sin él el evento va sin firma. */
        public readonly ?string $secret = null,
        /** Cuántas veces se intenta en total. */
        public readonly int $attempts = 6,
        /** La espera antes del segundo intento; después se duplica. */
        public readonly int $pauseMs = 500,
    ) {
    }
}

/** Por qué no se guardó. Si $retryable es true conviene enviarlo más tarde; si no, repetirlo tal cual no sirve. */
final class Refusal extends \RuntimeException
{
    public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        string $message,
        public readonly bool $retryable,
    ) {
        parent::__construct($message, $status);
    }
}

/** `v1,` y el HMAC-SHA256 en base64 de id.timestamp.cuerpo (Standard Webhooks). */
function sign(string $secret, string $id, string $timestamp, string $body): string
{
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    // Con una clave vacía firmaría cualquiera, y su firma se daría por buena.
    if (strlen($key) < 16) {
        throw new \InvalidArgumentException('Falta el secreto whsec_…, o está incompleto');
    }
    return 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
}

/**
 * Lo guarda, o dice por qué no: lo que puede salir bien después se intenta otra vez, con pausas cada vez mayores. $event lleva
 * tracking_id, event_id y step_id o event_type; con el mismo event_id se guarda una sola vez, por más veces que se envíe.
 * Si al final lanza un Refusal con $retryable en true, no se guardó o no se sabe: déjalo en tu cola y envíalo otra vez, con el
 * mismo event_id, a los 5 s, 30 s, 2 min, 10 min, 1 h, 3 h, 6 h, 12 h y 24 h, hasta tres días.
 */
function sendEvent(Account $account, array $event): array
{
    $body = json_encode($event, JSON_THROW_ON_ERROR);
    for ($attempt = 1; ; $attempt += 1) {
        [$data, $refusal, $waitMs] = tryOnce($account, $body);
        if ($refusal === null) {
            return $data;
        }
        if (!$refusal->retryable || $attempt >= $account->attempts) {
            throw $refusal;
        }
        // Al azar entre la mitad y el total, para que muchos no vuelvan a la vez.
        $backoff = $account->pauseMs * 2 ** ($attempt - 1) * (0.5 + mt_rand() / mt_getrandmax() / 2);
        usleep((int) (1000 * max($waitMs, $backoff)));
    }
}

/** Los datos de la respuesta, o el rechazo y los milisegundos que pide esperar. */
function tryOnce(Account $account, string $body): array
{
    $headers = ['Content-Type: application/json', "X-API-Key: $account->apiKey"];
    if ($account->secret !== null) {
        [$id, $timestamp] = ['msg_' . bin2hex(random_bytes(16)), (string) time()];
        $signature = sign($account->secret, $id, $timestamp, $body);
        array_push($headers, "webhook-id: $id", "webhook-timestamp: $timestamp", "webhook-signature: $signature");
    }
    $waitMs = 0;
    $request = curl_init($account->url);
    curl_setopt_array($request, [
        CURLOPT_POSTFIELDS => $body,
        CURLOPT_HTTPHEADER => $headers,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 15,
        CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$waitMs): int {
            if (preg_match('/^retry-after:\s*(\d+)/i', $line, $found)) {
                $waitMs = 1000 * (int) $found[1];
            }
            return strlen($line);
        },
    ]);
    $text = curl_exec($request);
    $answer = is_string($text) ? json_decode($text, true) : null;
    if (isset($answer['success'], $answer['data']) && $answer['success'] === true) {
        return [$answer['data'], null, 0];
    }
    if (isset($answer['meta']['code'], $answer['meta']['retryable'], $answer['message'])) {
        ['code' => $code, 'retryable' => $retryable] = $answer['meta'];
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        return [null, new Refusal($status, $code, $answer['message'], $retryable), $waitMs];
    }
    // Sin respuesta, o de un intermediario que no es Afluente: quizá se guardó, y con el mismo event_id repetir no lo duplica.
    $error = curl_error($request) ?: 'La respuesta no es de Afluente';
    return [null, new Refusal(0, 'NO_ANSWER', $error, true), 0];
}

const TOLERANCE_SECONDS = 300;

/**
 * Si un aviso es de Afluente: $headers es getallheaders() y $body el cuerpo tal como llegó, file_get_contents('php://input'),
 * sin pasarlo por json_decode. Durante un cambio de secreto firman dos; uno que corresponda basta. Guarda el webhook-id y no
 * hagas nada si lo vuelves a ver.
 */
function verify(string $secret, array $headers, string $body, ?int $now = null): bool
{
    $headers = array_change_key_case($headers);
    $names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    [$id, $timestamp, $given] = array_map(fn (string $name) => $headers[$name] ?? null, $names);
    if (!is_string($id) || !is_string($timestamp) || !is_string($given)) {
        return false;
    }
    if (!preg_match('/^\d{1,12}$/D', $timestamp) || abs(($now ?? time()) - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = sign($secret, $id, $timestamp, $body);
    foreach (explode(' ', $given) as $each) {
        if (hash_equals($expected, $each)) {
            return true;
        }
    }
    return false;
}

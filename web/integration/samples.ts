/** What every sample says: where it goes, whose key it uses and what happened to whom. */
interface Reported {
  url: string
  key: string
  /** What signs: base64 behind `whsec_`. */
  secret: string
  trackingId: string
  stepId: number
}

interface Sample {
  value: string
  label: string
  file: string
  code: (reported: Reported) => string
}

/** Placeholders until the person shows the value. */
export const KEY_PLACEHOLDER = 'TU_API_KEY'
/** Readable as base64, so that a sample with it runs and is told what is wrong. */
export const SECRET_PLACEHOLDER = 'whsec_TUSECRETODEFIRMA'
export const TOKEN_PLACEHOLDER = 'TU_TOKEN_DE_POSTBACK'

/** The sender's own id of what happened. */
const SAMPLE_EVENT_ID = 'pedido-1001'

const bodyOf = ({ trackingId, stepId }: Reported): string =>
  JSON.stringify({ tracking_id: trackingId, step_id: stepId, event_id: SAMPLE_EVENT_ID })

const curl = (reported: Reported): string => `#!/bin/sh
# evento.sh — necesita curl y openssl: sh evento.sh
API_KEY='${reported.key}'
SECRET='${reported.secret}'
BODY='${bodyOf(reported)}'

ID="msg_$(openssl rand -hex 16)"
TIMESTAMP=$(date +%s)
SIGNING_KEY=$(printf '%s' "\${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
SIGNATURE=$(printf '%s.%s.%s' "$ID" "$TIMESTAMP" "$BODY" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$SIGNING_KEY" -binary | openssl base64 -A)

curl --silent --show-error --max-time 15 --write-out '\\n%{http_code}\\n' '${reported.url}' \\
  --header 'Content-Type: application/json' \\
  --header "X-API-Key: $API_KEY" \\
  --header "webhook-id: $ID" \\
  --header "webhook-timestamp: $TIMESTAMP" \\
  --header "webhook-signature: v1,$SIGNATURE" \\
  --data "$BODY"
`

const node = ({
  url,
  key,
  secret,
  trackingId,
  stepId,
}: Reported): string => `// evento.mjs — Node 18 o posterior: node evento.mjs
import { createHmac, randomUUID } from 'node:crypto'

const apiKey = '${key}'
const secret = '${secret}'
const body = JSON.stringify({
  tracking_id: '${trackingId}',
  step_id: ${stepId},
  event_id: '${SAMPLE_EVENT_ID}',
})

const id = \`msg_\${randomUUID()}\`
const timestamp = String(Math.floor(Date.now() / 1000))
const signingKey = Buffer.from(secret.slice(6), 'base64')
const signature = createHmac('sha256', signingKey).update(\`\${id}.\${timestamp}.\${body}\`).digest('base64')

const answer = await fetch('${url}', {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    'X-API-Key': apiKey,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': \`v1,\${signature}\`,
  },
  body,
  signal: AbortSignal.timeout(15_000),
})
process.stdout.write(\`\${answer.status} \${await answer.text()}\\n\`)
`

const php = ({ url, key, secret, trackingId, stepId }: Reported): string => `<?php
// evento.php — PHP 7.4 o posterior con la extensión curl: php evento.php
$apiKey = '${key}';
$secret = '${secret}';
$body = json_encode([
    'tracking_id' => '${trackingId}',
    'step_id' => ${stepId},
    'event_id' => '${SAMPLE_EVENT_ID}',
]);

$id = 'msg_' . bin2hex(random_bytes(16));
$timestamp = (string) time();
$signingKey = base64_decode(substr($secret, 6));
$signature = base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $signingKey, true));

$request = curl_init('${url}');
curl_setopt_array($request, [
    CURLOPT_POST => true,
    CURLOPT_POSTFIELDS => $body,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 15,
    CURLOPT_HTTPHEADER => [
        'Content-Type: application/json',
        "X-API-Key: $apiKey",
        "webhook-id: $id",
        "webhook-timestamp: $timestamp",
        "webhook-signature: v1,$signature",
    ],
]);
$answer = curl_exec($request);
if ($answer === false) {
    throw new RuntimeException(curl_error($request));
}
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;
`

const python = ({
  url,
  key,
  secret,
  trackingId,
  stepId,
}: Reported): string => `# evento.py — Python 3.8 o posterior: python3 evento.py
import base64, hashlib, hmac, json, time, uuid
import urllib.error, urllib.request

api_key = "${key}"
secret = "${secret}"
body = json.dumps({
    "tracking_id": "${trackingId}",
    "step_id": ${stepId},
    "event_id": "${SAMPLE_EVENT_ID}",
}).encode()

message_id = f"msg_{uuid.uuid4()}"
timestamp = str(int(time.time()))
signed = f"{message_id}.{timestamp}.".encode() + body
signature = base64.b64encode(hmac.new(base64.b64decode(secret[6:]), signed, hashlib.sha256).digest()).decode()

request = urllib.request.Request(
    "${url}",
    data=body,
    headers={
        "Content-Type": "application/json",
        "X-API-Key": api_key,
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{signature}",
    },
)
try:
    with urllib.request.urlopen(request, timeout=15) as answer:
        print(answer.status, answer.read().decode())
except urllib.error.HTTPError as refusal:
    print(refusal.code, refusal.read().decode())
`

const java = (reported: Reported): string => `// Evento.java — Java 11 o posterior: java Evento.java
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Evento {
  public static void main(String[] args) throws Exception {
    String apiKey = "${reported.key}";
    String secret = "${reported.secret}";
    String body = ${JSON.stringify(bodyOf(reported))};

    String id = "msg_" + UUID.randomUUID();
    String timestamp = String.valueOf(Instant.now().getEpochSecond());
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring(6)), "HmacSHA256"));
    byte[] signed = mac.doFinal((id + "." + timestamp + "." + body).getBytes(UTF_8));

    HttpRequest request = HttpRequest.newBuilder(URI.create("${reported.url}"))
        .timeout(Duration.ofSeconds(15))
        .header("Content-Type", "application/json")
        .header("X-API-Key", apiKey)
        .header("webhook-id", id)
        .header("webhook-timestamp", timestamp)
        .header("webhook-signature", "v1," + Base64.getEncoder().encodeToString(signed))
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    System.out.println(answer.statusCode() + " " + answer.body());
  }
}
`

/** Each runs unchanged, with only what its first lines name. */
export const samples: readonly Sample[] = [
  { value: 'curl', label: 'curl', file: 'evento.sh', code: curl },
  { value: 'node', label: 'Node', file: 'evento.mjs', code: node },
  { value: 'php', label: 'PHP', file: 'evento.php', code: php },
  { value: 'python', label: 'Python', file: 'evento.py', code: python },
  { value: 'java', label: 'Java', file: 'Evento.java', code: java },
]

interface Macro {
  url: string
  token: string
  stepId: number
  trackingId: string
  eventId: string
}

/** An address for tools that can only fill in macros, which therefore stay readable. */
export const macroUrl = ({ url, token, stepId, trackingId, eventId }: Macro): string =>
  `${url}?token=${token}&tracking_id=${trackingId}&event=${stepId}&event_id=${eventId}`

#!/usr/bin/env bash
# The way of a click and of a peso, by hand: run it against a server that has its demonstration data.
#   scripts/journey.sh [http://127.0.0.1:3000]
set -euo pipefail

base="${1:-http://127.0.0.1:3000}"
api="$base/api/v1"
mark="$(date +%s)"

# Prints one value of the JSON on standard input, e.g. `value data.id`.
value() { node -e 'const text = require("fs").readFileSync(0, "utf8"); if (!text) process.exit(1); let v = JSON.parse(text); for (const k of process.argv[1].split(".")) v = v?.[k]; if (v === undefined) process.exit(1); console.log(typeof v === "object" ? JSON.stringify(v) : v)' "$1"; }
# Today in Mexico City, moved by some days.
day() { node -p 'new Intl.DateTimeFormat("en-CA", { timeZone: "America/Mexico_City" }).format(Date.now() + process.argv[1] * 864e5)' -- "$1"; }
call() { curl --fail-with-body --silent --show-error "$@"; }
# send <token> <method> <path> [body]
send() { call -X "$2" "$api$3" -H "Authorization: Bearer $1" ${4:+-H 'Content-Type: application/json' -d "$4"}; }
login() { call "$api/auth/login/" -H 'Content-Type: application/json' -d "{\"email\":\"$1\",\"password\":\"$2\"}" | value data.access; }
say() { printf '\n%s\n' "$*"; }
expect() { if [ "$2" = "$3" ]; then echo "  $1: $2"; else echo "  $1: $2, and should be $3" >&2; exit 1; fi; }

company() { # company <name> <mailbox>
  echo "{\"company_name\":\"$1 $mark\",\"rfc\":\"XAXX010101000\",\"address\":\"Calle Uno 1, Ciudad de México\",\"contact_name\":\"Luz Vera\",\"contact_phone\":\"+525555555555\",\"contact_email\":\"$2-$mark@correo.example\",\"url\":\"https://$2.example\",\"user\":{\"email\":\"$2-$mark@correo.example\",\"first_name\":\"Luz\",\"last_name\":\"Vera\",\"password\":\"Recorrido-$mark\"}}"
}

say '1. The administrator signs in and sets up an issuer, an affiliate and what joins them'
admin="$(login admin@demo.afluente.mx Afluente2026)"
issuer="$(send "$admin" POST /issuers/ "$(company Emisora emisora)" | value data.id)"
affiliate="$(send "$admin" POST /affiliates/ "$(company Portal portal)" | value data.id)"
relationship="$(send "$admin" POST /relationships/ "{\"affiliate_id\":$affiliate,\"issuer_id\":$issuer}" | value data.id)"
product="$(send "$admin" POST /products/ "{\"name\":\"Tarjeta $mark\",\"description\":\"Tarjeta sin anualidad\",\"redirect_url\":\"https://emisora.example/alta?ref={tracking_id}\",\"issuer_id\":$issuer}" | value data.id)"
step="$(send "$admin" POST /events/product-steps/ "{\"issuer_id\":$issuer,\"product_id\":$product,\"event_type_id\":3,\"name\":\"Tarjeta aprobada\",\"is_payout_event\":true}" | value data.id)"
echo "  issuer $issuer, affiliate $affiliate, relationship $relationship, product $product, step $step"

say '2. The issuer promises 500 pesos for each approved card and takes its API key'
issuer_user="$(login "emisora-$mark@correo.example" "Recorrido-$mark")"
send "$issuer_user" POST /payouts/ "{\"affiliate_id\":$affiliate,\"product_id\":$product,\"name\":\"Aprobadas\",\"payout\":\"500\"}" >/dev/null
key="$(send "$issuer_user" GET "/issuers/$issuer/" | value data.api_key)"
echo "  key ${key:0:8}…"

say '3. A visitor clicks; the lead is stored before the redirect'
location="$(call -o /dev/null -w '%{redirect_url}' "$api/leads/redirect/$relationship/?product_id=$product&external_id=visita-$mark&utm_source=recorrido")"
tracking="${location##*ref=}"
echo "  302 $location"

say '4. The issuer tells twice that the card was approved; it counts once'
event="{\"tracking_id\":\"$tracking\",\"step_id\":$step,\"event_id\":\"alta-$mark\"}"
post() { call "$api/events/lead-events/" -H "X-API-Key: $key" -H 'Content-Type: application/json' -d "$event"; }
expect 'first time, duplicate' "$(post | value data.duplicate)" false
answer="$(post)"
expect 'second time, duplicate' "$(value data.duplicate <<<"$answer")" true
expect 'commission' "$(value data.commission.amount <<<"$answer")" 500.00

say '5. The administrator looks at what a payment would hold, and makes it'
start="$(day -7)" end="$(day 0)"
preview="$(send "$admin" GET "/payments/preview/?relationship=$relationship&period_start=$start&period_end=$end")"
expect 'leads' "$(value data.total_leads <<<"$preview")" 1
expect 'conversions' "$(value data.total_conversions <<<"$preview")" 1
total="$(value data.total_amount <<<"$preview")"
expect 'amount' "$total" 500.00
payment="$(send "$admin" POST /payments/ "{\"relationship\":$relationship,\"period_start\":\"$start\",\"period_end\":\"$end\",\"total_leads\":1,\"total_conversions\":1,\"total_amount\":\"$total\",\"payment_date\":\"$end\"}" | value data.id)"
send "$admin" PUT "/payments/$payment/" '{"payment_status":"paid","notes":"Pago por SPEI"}' >/dev/null

say '6. The affiliate sees the same sum, down to the click'
affiliate_user="$(login "portal-$mark@correo.example" "Recorrido-$mark")"
seen="$(send "$affiliate_user" GET "/payments/$payment/")"
expect 'status' "$(value data.payment_status <<<"$seen")" paid
expect 'amount' "$(value data.total_amount <<<"$seen")" 500.00
expect 'adjustment' "$(value data.adjustment <<<"$seen")" 0.00
entry="$(send "$affiliate_user" GET "/payments/$payment/entries/")"
expect 'click behind it' "$(value data.results.0.external_id <<<"$entry")" "visita-$mark"

say 'Every peso leads back to its click.'

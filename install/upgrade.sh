#!/bin/sh
# As root, in the folder of a new version below /opt/afluente: install/upgrade.sh FOLDER-FOR-BACKUPS
# Builds, then backs up and checks while the old version serves, then changes over. The first time it only installs.
# What fails before the change leaves the old version as it was.
# `-` instead of a folder: no backup, where PostgreSQL is yours and you made one.
set -eu
[ $# -eq 1 ] || { echo 'Uso: install/upgrade.sh CARPETA-DE-RESPALDOS' >&2; exit 2; }
new=$(cd "$(dirname "$0")/.." && pwd -P)
current=$(dirname "$new")/current
settings=/etc/afluente/afluente.env
backup=$1/$(date +%Y%m%d-%H%M%S)

# As the unit runs: its user, its settings, its data.
as_service() {
  folder=$1
  shift
  systemd-run --quiet --wait --pipe --collect --uid=afluente --gid=afluente --working-directory="$folder" \
    -p EnvironmentFile="$settings" -E DATA_DIR=/var/lib/afluente "$folder/node_modules/node/bin/node" "$@"
}

cd "$new"
npm run build

old=$(readlink "$current" || true)
if [ -n "$old" ] && [ "$1" != - ]; then
  as_service "$old" scripts/backup.ts "$backup"
  as_service "$old" scripts/backup-check.ts "$backup"
fi

install -m 644 install/afluente.service /etc/systemd/system/afluente.service
systemctl daemon-reload
ln -sfn "$new" "$current"
systemctl enable --quiet afluente
systemctl restart afluente

# Migrations run before it is ready. (systemd-run would fill in a template's holes itself.)
if as_service "$new" --input-type=module -e '
  const { HOST = "127.0.0.1", PORT = 3000 } = process.env
  const url = "http://" + (HOST === "0.0.0.0" ? "127.0.0.1" : HOST) + ":" + PORT + "/readyz"
  for (const end = Date.now() + 120_000; Date.now() < end; await new Promise((done) => setTimeout(done, 500)))
    if ((await fetch(url).catch(() => undefined))?.ok) process.exit(0)
  process.exit(1)'
then
  echo "Afluente está en marcha: $new"
  exit 0
fi
echo 'Afluente no quedó listo en dos minutos. El motivo: journalctl -u afluente -n 50' >&2
[ -z "$old" ] || cat >&2 <<END
Si está migrando, espere. Para volver a la versión anterior:
  ln -sfn $old $current && systemctl restart afluente
Si entonces dice que la base es más nueva, restaure el respaldo $backup (docs/operacion-respaldos.md).
END
exit 1

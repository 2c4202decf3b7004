#!/bin/sh
# As root, in the folder of a new version below /opt/afluente: install/upgrade.sh FOLDER-FOR-BACKUPS
# Builds, then backs up and checks while the old version serves, then changes over. The first time it only installs.
# What fails before the change leaves the old version as it was.
# `-` instead of a folder: no backup, where PostgreSQL is yours and you made one.
set -eu
[ $# -eq 1 ] || { echo 'Uso: install/upgrade.sh CARPETA-DE-RESPALDOS' >&2; exit 2; }
new=$(cd "$(dirname "$0")/.." && pwd -P)
current=$(dirname "$new")/current
backup=$1/$(date +%Y%m%d-%H%M%S)

cd "$new"
npm run build

old=$(readlink "$current" || true)
if [ -n "$old" ] && [ "$1" != - ]; then
  FOLDER=$old install/afluente backup "$backup"
  FOLDER=$old install/afluente backup:check "$backup"
fi

install -m 644 install/afluente.service install/afluente-backup.service install/afluente-backup.timer /etc/systemd/system
install -m 755 install/afluente /usr/local/sbin/afluente
install -m 755 install/nightly.sh /usr/local/sbin/afluente-nightly
systemctl daemon-reload
ln -sfn "$new" "$current"
systemctl enable --quiet afluente
systemctl restart afluente

# Migrations run before it is ready.
if FOLDER=$new install/afluente ready; then
  echo "Afluente está en marcha: $new"
  exit 0
fi
echo 'El motivo: journalctl -u afluente -n 50' >&2
[ -z "$old" ] || cat >&2 <<END
Si está migrando, espere. Para volver a la versión anterior:
  ln -sfn $old $current && systemctl restart afluente
Si entonces dice que la base es más nueva, restaure el respaldo $backup (docs/operacion-respaldos.md).
END
exit 1

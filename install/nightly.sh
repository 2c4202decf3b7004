#!/bin/sh
# As root, each night (afluente-backup.timer): nightly.sh FOLDER makes a backup below FOLDER and checks it. Only when a copy of
# it started and its counts were right are those of more than two weeks ago deleted. No copy is started of a PostgreSQL of
# one's own: then all are kept.
set -eu
folder=$1
backup=$folder/$(date +%Y%m%d-%H%M%S)
afluente=$(dirname "$(readlink -f "$0")")/afluente
# What interrupted nights left, each as large as the database.
find "$folder" -mindepth 1 -maxdepth 1 -type d \( -name '20*.partial' -o -name 'afluente-check-*' \) -mtime +0 -exec rm -r {} +
"$afluente" backup "$backup"
"$afluente" backup:check "$backup"
if grep -q '"embedded": true' "$backup/manifest.json"; then
  find "$folder" -mindepth 1 -maxdepth 1 -name '20??????-??????' -mtime +14 -exec rm -r {} +
else
  echo 'Es de un PostgreSQL propio: la copia no se inició y no se borra ningún respaldo.'
fi

#!/bin/sh
# As root, each night (afluente-backup.timer): install/nightly.sh FOLDER makes a backup below FOLDER and checks it. Only then
# are those of more than two weeks ago deleted.
set -eu
folder=$1
backup=$folder/$(date +%Y%m%d-%H%M%S)
afluente=$(dirname "$(readlink -f "$0")")/afluente
"$afluente" backup "$backup"
"$afluente" backup:check "$backup"
find "$folder" -mindepth 1 -maxdepth 1 -name '20??????-??????' -mtime +14 -exec rm -r {} +

#!/bin/sh
# Dumps the PostgreSQL database that libpq's variables name (PGSERVICE, or PGHOST and the others) into $BACKUP_FOLDER,
# and then removes dumps older than $BACKUP_DAYS days. pg_dump must be of the server's major version or a later one.
# The master key is not in the dump.
set -eu
umask 077

folder=${BACKUP_FOLDER:-/backup}
file=$folder/fieldroster-$(date -u +%Y%m%dT%H%M%SZ).dump
if [ -n "${PGPASSWORD_FILE:-}" ]; then
  PGPASSWORD=$(cat "$PGPASSWORD_FILE")
  export PGPASSWORD
fi

# A dump gets its final name only once it is complete and can be read back.
trap 'rm -f "$file.part"' EXIT
pg_dump --format=custom --file="$file.part"
pg_restore --list "$file.part" > /dev/null
sync "$file.part"
mv "$file.part" "$file"

find "$folder" -maxdepth 1 -name 'fieldroster-*.dump' -mtime "+${BACKUP_DAYS:-14}" -delete
echo "wrote $file"

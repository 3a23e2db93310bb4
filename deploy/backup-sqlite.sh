#!/bin/sh
# Copies the embedded database in $FIELDROSTER_DATA into $BACKUP_FOLDER while the server runs, and then removes copies
# older than $BACKUP_DAYS days. Needs Debian's sqlite3. The master key is not in the copy.
set -eu
umask 077

folder=${BACKUP_FOLDER:?set it to the folder of the backups}
database=${FIELDROSTER_DATA:?set it to the data folder of the server}/fieldroster.db
file=$folder/fieldroster-$(date -u +%Y%m%dT%H%M%SZ).db
# SQLite would create an empty database if there were none.
[ -s "$database" ] || { echo "backup-sqlite.sh: there is no database $database" >&2; exit 1; }

# A copy gets its final name only once it is complete and intact.
trap 'rm -f "$file.part"' EXIT
sqlite3 -bail "$database" ".timeout 10000" "vacuum into '$file.part'"
result=$(sqlite3 -bail "$file.part" 'pragma integrity_check')
[ "$result" = ok ] || { echo "backup-sqlite.sh: the copy is damaged: $result" >&2; exit 1; }
sync "$file.part"
mv "$file.part" "$file"

find "$folder" -maxdepth 1 -name 'fieldroster-*.db' -mtime "+${BACKUP_DAYS:-14}" -delete
echo "wrote $file"

#!/bin/sh
# Backs up the database that FIELDROSTER_DATA or FIELDROSTER_DATABASE_URL names into $BACKUP_FOLDER while servers run,
# restores the backup into a temporary database to prove it, and then removes backups older than $BACKUP_DAYS days.
# A server with --backup-every does this itself. The master key is not in the backup.
set -eu
umask 077

folder=${BACKUP_FOLDER:?set it to the folder of the backups}
file=$folder/fieldroster-$(date -u +%Y%m%dT%H%M%SZ).backup

# Not quoted: it may be a program with arguments.
${FIELDROSTER_COMMAND:-fieldroster} backup --verify --to "$file"

find "$folder" -maxdepth 1 -name 'fieldroster-*.backup' -mtime "+${BACKUP_DAYS:-14}" -delete

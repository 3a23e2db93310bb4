#!/bin/sh
# Writes the secrets that compose.yaml mounts, once. Run it as root, so that each file belongs to the one user that
# reads it: 999 is PostgreSQL in its image, 1000 the server in ours.
#
#   sudo deploy/create-secrets.sh [folder]     (default: the folder of this script)
set -eu
umask 077

folder=${1:-$(dirname "$0")}
secrets=$folder/secrets
if [ -e "$secrets" ]; then
  echo "create-secrets.sh: nothing was changed: $secrets exists; keep it if a deployment uses it, or else remove it" >&2
  exit 1
fi
mkdir "$secrets"
mkdir -p "$folder/backups"
# Everyone may pass through the folder; the modes of the files decide who reads them.
chmod 711 "$secrets"

# Hexadecimal digits need no escaping in a URL.
openssl rand -hex 24 > "$secrets/postgres-password"
openssl rand -hex 24 > "$secrets/owner-password"
printf 'postgres://fieldroster:%s@database:5432/fieldroster\n' "$(cat "$secrets/owner-password")" > "$secrets/database-url"
openssl rand -base64 32 > "$secrets/master-key"
# Stays empty, except while the master key is being replaced.
: > "$secrets/master-key-previous"
chmod 400 "$secrets"/*

chown 999:999 "$secrets/postgres-password" "$secrets/owner-password"
chown 1000:1000 "$folder/backups" "$secrets/database-url" "$secrets/master-key" "$secrets/master-key-previous"

echo "wrote $secrets; copy $secrets/master-key to a safe place: no backup of the database contains it"

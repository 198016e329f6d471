#!/bin/sh
# Creates the certificates that the database and its clients need for TLS, and gives each side the password in a separate
# file.
#
#   prepare.sh DATABASE_DIRECTORY CLIENT_DIRECTORY PASSWORD_FILE HOST DATABASE_OWNER CLIENT_OWNER
#
# An existing certificate is kept. To create a new one, remove both directories and restart everything.
set -eu
umask 077
database=$1 client=$2 password_file=$3 host=$4 database_owner=$5 client_owner=$6

password=$(cat "$password_file")
[ -n "$password" ] || { echo "prepare: $password_file is empty" >&2; exit 1; }

if ! [ -s "$database/server.crt" ] || ! [ -s "$client/ca.crt" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # The authority signs this one certificate; its key is then deleted, so that it cannot sign others.
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj '/CN=dragoman database authority' \
    -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign' \
    -keyout "$work/ca.key" -out "$work/ca.crt" 2>/dev/null
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$host" \
    -keyout "$work/server.key" -out "$work/server.csr" 2>/dev/null
  printf 'subjectAltName=DNS:%s\nextendedKeyUsage=serverAuth\n' "$host" > "$work/extensions"
  openssl x509 -req -days 3650 -in "$work/server.csr" -CA "$work/ca.crt" -CAkey "$work/ca.key" -CAcreateserial \
    -extfile "$work/extensions" -out "$work/server.crt" 2>/dev/null
  cp "$work/server.key" "$database/server.key"
  cp "$work/ca.crt" "$client/ca.crt"
  # Written last: if it exists, the other files exist too.
  cp "$work/server.crt" "$database/server.crt"
fi

printf '%s' "$password" > "$database/password"
# In this file, colons and backslashes are escaped with a backslash.
printf '%s:*:*:*:%s\n' "$host" "$(printf '%s' "$password" | sed 's/[\\:]/\\&/g')" > "$client/pgpass"

# Both directories contain no other files.
chown -R "$database_owner" "$database"
chown -R "$client_owner" "$client"
chmod 0700 "$database" "$client"
chmod 0600 "$database"/* "$client"/*

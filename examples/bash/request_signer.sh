# Signs requests of the cbs scheme; to be sourced. Needs bash 4, openssl, iconv and the usual coreutils.
#
#   source request_signer.sh
#   sign APP_ID APP_SECRET METHOD TARGET [BODY_FILE]    prints the three headers, for curl --header @-
#
# TARGET is the path and query exactly as they are sent, still percent-encoded, a base path included.
# Set TIMESTAMP or NONCE to have them signed in place of the time of day and a random UUID, PLUS=literal to
# read "+" in the query as a plus sign, and OMIT_CONTENT_MD5=true for image uploads.
# The stages write to standard output because a shell variable cannot hold a NUL.

sign() {
  local app_id=$1 app_secret=$2 method=$3 target=$4 body=${5:-/dev/null}
  local timestamp=${TIMESTAMP:-$(date +%s)} nonce=${NONCE-$(new_uuid)} md5 value
  if ! valid_nonce "$nonce"; then
    echo 'a nonce has 1 to 36 characters, none of them a control character' >&2
    return 1
  fi
  canonical_resource "$target" >/dev/null || return 1
  md5=$(content_md5 "$method" "$body")
  value=$(string_to_sign "$method" "$md5" "$timestamp" "$nonce" "$target" | signature "$app_secret")
  printf 'Authorization: %s\nTimestamp: %s\nNonce: %s\n' "$(authorization "$app_id" "$value")" "$timestamp" "$nonce"
}

# Base64 of the body's MD5, or nothing when it is not part of what is signed.
content_md5() {
  local method=${1^^} body=$2
  [[ ${OMIT_CONTENT_MD5:-} == true ]] && return
  if [[ -s $body || $method == POST || $method == PUT ]]; then
    openssl dgst -md5 -binary "$body" | base64
  fi
}

# The path as sent, and the decoded parameters sorted by name. Fails when they cannot be decoded.
canonical_resource() {
  local path=${1%%\?*} query='' separator='?' sorted name value
  [[ $1 == *\?* ]] && query=${1#*\?}
  sorted=$(sort_parameters "$query") || return 1
  printf '%s' "$path"
  while IFS=' ' read -r _ name value; do
    [[ -n $name ]] || continue
    printf '%s' "$separator"
    decode "${name:1}"
    printf '='
    decode "${value:1}"
    separator='&'
  done <<<"$sorted"
}

string_to_sign() {
  printf '%s\n' "${1^^}" ${2:+"$2"} "$3" "$4"
  canonical_resource "$5"
}

# Reads the string to sign from standard input. The HMAC is made of two plain digests (RFC 2104), because
# openssl takes an HMAC's key as an argument, and arguments are visible to every user of the machine.
signature() {
  local key
  key=$(printf '%s' "$1" | hex)
  ((${#key} > 128)) && key=$(printf '%s' "$1" | openssl dgst -sha256 -binary | hex)
  { xor_key "$key" 0x36; cat; } | openssl dgst -sha256 -binary |
    { xor_key "$key" 0x5c; cat; } | openssl dgst -sha256 -binary | base64
}

authorization() {
  printf 'cbs:%s:%s' "$1" "$2"
}

# A line for each parameter: the name's UTF-16 code units to sort by, "n" and the name, "v" and the value.
sort_parameters() {
  local pieces piece name value units lines=''
  IFS='&' read -r -a pieces <<<"$1"
  for piece in "${pieces[@]}"; do
    [[ -n $piece ]] || continue
    name=${piece%%=*}
    [[ $piece == *=* ]] && value=${piece#*=} || value=''
    units=$(utf16_units "$name") && utf16_units "$value" >/dev/null || return 1
    lines+="$units. n$name v$value"$'\n'
  done
  LC_ALL=C sort -s -t ' ' -k 1,1 <<<"$lines"
}

# iconv refuses bytes that are not UTF-8; without pipefail, bash would report only the status of the last command.
utf16_units() (
  set -o pipefail
  if [[ $1 =~ %($|[^0-9A-Fa-f]|.$|.[^0-9A-Fa-f]) ]]; then
    echo "malformed percent-encoding in $1" >&2
    return 1
  fi
  decode "$1" | iconv -f UTF-8 -t UTF-16BE | hex
)

decode() {
  local text=${1//\\/\\\\}
  [[ ${PLUS:-space} == literal ]] || text=${text//+/ }
  printf '%b' "${text//%/\\x}"
}

valid_nonce() {
  local LC_ALL=C.UTF-8
  [[ ${#1} -ge 1 && ${#1} -le 36 && $1 != *[[:cntrl:]]* ]]
}

# The key, given in hexadecimal and padded to the digest's block of 64 bytes, each byte xor'ed with a constant.
xor_key() {
  local i byte
  for ((i = 0; i < 128; i += 2)); do
    byte=${1:i:2}
    printf -v byte '%02x' $((16#${byte:-0} ^ $2))
    printf '%b' "\\x$byte"
  done
}

new_uuid() {
  local digits
  digits=$(openssl rand -hex 16)
  printf '%s-%s-4%s-a%s-%s' "${digits:0:8}" "${digits:8:4}" "${digits:13:3}" "${digits:17:3}" "${digits:20}"
}

hex() {
  od -An -v -tx1 | tr -d ' \n'
}

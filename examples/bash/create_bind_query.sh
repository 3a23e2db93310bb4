#!/usr/bin/env bash
# Creates a user, binds it to a role, an organization and a store, and queries it. See README.md.

set -euo pipefail
source "$(dirname "$0")/request_signer.sh"

: "${FIELDROSTER_URL:?set this environment variable}"
: "${FIELDROSTER_APP_ID:?set this environment variable}"
: "${FIELDROSTER_APP_SECRET:?set this environment variable}"
username=${FIELDROSTER_USERNAME:-example-$(new_uuid)}
real_name=${FIELDROSTER_REAL_NAME:-Li Wei}
password=${FIELDROSTER_PASSWORD:-$(new_uuid)}
role_id=${FIELDROSTER_ROLE_ID:-1}
org_id=${FIELDROSTER_ORG_ID:-1}
store_code=${FIELDROSTER_STORE_CODE:-N-001}
timeout_seconds=${FIELDROSTER_TIMEOUT_SECONDS:-30}

url=${FIELDROSTER_URL%/}
origin=$(sed -E 's|^([a-z]+://[^/]+).*|\1|' <<<"$url")
base_path=${url#"$origin"}
# The bodies hold a password: mktemp makes a file that nobody else may read.
body=$(mktemp)
trap 'rm -f "$body"' EXIT

# call METHOD PATH_AND_QUERY [JSON] prints the envelope, or ends the program when its code is not 0.
call() {
  local method=$1 target=$base_path$2 headers envelope data=()
  printf '%s' "${3:-}" >"$body"
  [[ -n ${3:-} ]] && data=(--data-binary "@$body")
  headers=$(sign "$FIELDROSTER_APP_ID" "$FIELDROSTER_APP_SECRET" "$method" "$target" "$body")
  # No --fail: the envelope says what happened, not the HTTP status.
  envelope=$(curl --silent --show-error --max-time "$timeout_seconds" --path-as-is --request "$method" \
    --header 'Content-Type: application/json' --header @- "${data[@]}" "$origin$target" <<<"$headers")
  if [[ ! $envelope =~ ^\{\"code\":(-?[0-9]+),\"message\":(\"([^\"\\]|\\.)*\") ]]; then
    echo "$method ${2%%\?*}: the answer is no envelope: $envelope" >&2
    exit 1
  elif [[ ${BASH_REMATCH[1]} != 0 ]]; then
    echo "$method ${2%%\?*} failed with code ${BASH_REMATCH[1]}: $(json_text "${BASH_REMATCH[2]}")" >&2
    exit 1
  fi
  printf '%s' "$envelope"
}

# field PATTERN ENVELOPE prints what follows the pattern: a string's text, or a number with all its digits,
# which jq before version 1.7 would round above 2^53.
field() {
  [[ $2 =~ $1(-?[0-9]+|\"([^\"\\]|\\.)*\") ]]
  json_text "${BASH_REMATCH[1]}"
}

json_text() {
  local text=${1#\"}
  text=${text%\"}
  printf '%b' "${text//\\\"/\"}"
}

json_string() {
  local text=${1//\\/\\\\} control
  for control in {1..31}; do
    printf -v control '\\u%04x' "$control"
    text=${text//"$(printf '%b' "$control")"/"$control"}
  done
  printf '"%s"' "${text//\"/\\\"}"
}

percent_encode() {
  printf '%s' "$1" | hex | sed 's/../%&/g'
}

user="{\"username\":$(json_string "$username"),\"real_name\":$(json_string "$real_name")"
user+=",\"password\":$(json_string "$password")}"
envelope=$(call POST /user "$user")
user_id=$(field '"data":\{"id":' "$envelope")
echo "created user $user_id"

call POST /user/role "{\"user_id\":$user_id,\"role_id\":$role_id}" >/dev/null
echo "bound to role $role_id"
call POST /user/org "{\"user_id\":$user_id,\"org_id\":$org_id}" >/dev/null
echo "bound to organization $org_id"
call POST /user/store "{\"user_id\":$user_id,\"store_code\":$(json_string "$store_code")}" >/dev/null
echo "bound to store $store_code"

envelope=$(call GET "/user?username=$(percent_encode "$username")")
found_name=$(field '"username":' "$envelope")
found_real_name=$(field '"real_name":' "$envelope")
echo "found user $(field '"data":\{"id":' "$envelope"): $found_name ($found_real_name)"
echo "its role: $(field '"roles":\[\{"id":' "$envelope")"
echo "its organization: $(field '"orgs":\[\{"id":' "$envelope")"
envelope=$(call GET "/user/store?user_id=$user_id")
echo "its store: $(field '"stores":\[\{"code":' "$envelope")"
call DELETE "/user/store?user_id=$user_id&store_code=$(percent_encode "$store_code")" >/dev/null
echo "unbound from store $store_code"

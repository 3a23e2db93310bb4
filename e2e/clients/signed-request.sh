#!/usr/bin/env bash
# Signs a request with openssl and sends it with curl.
# usage: APP_ID=… APP_SECRET=… signed-request.sh METHOD URL PATH [NAME=VALUE…] [--body JSON]
# Names and values are given as they are meant; this script encodes them.
set -euo pipefail

method=$1 url=$2 path=$3
shift 3
parameters=()
body=
while (($# > 0)); do
  if [[ $1 == --body ]]; then
    body=$2
    shift 2
  else
    parameters+=("$1")
    shift
  fi
done

percent_encode() {
  local LC_ALL=C text=$1 encoded= index character
  for ((index = 0; index < ${#text}; index++)); do
    character=${text:index:1}
    case $character in
      [A-Za-z0-9._~-]) encoded+=$character ;;
      *)
        printf -v character '%%%02X' "'$character"
        # Bytes beyond ASCII come out as negative numbers, of which the last two digits count.
        encoded+="%${character: -2}"
        ;;
    esac
  done
  printf '%s' "$encoded"
}

canonical=$path query=
if ((${#parameters[@]} > 0)); then
  for parameter in "${parameters[@]}"; do
    query+="${query:+&}$(percent_encode "${parameter%%=*}")=$(percent_encode "${parameter#*=}")"
  done
  canonical+="?$(printf '%s\n' "${parameters[@]}" | LC_ALL=C sort -t= -k1,1 | paste -sd '&')"
fi

timestamp=$(date +%s)
nonce=$(openssl rand -hex 16)
text=$method$'\n'
if [[ $method == POST || $method == PUT ]]; then
  text+=$(printf '%s' "$body" | openssl dgst -md5 -binary | openssl base64)$'\n'
fi
text+=$timestamp$'\n'$nonce$'\n'$canonical
signature=$(printf '%s' "$text" | openssl dgst -sha256 -hmac "$APP_SECRET" -binary | openssl base64)

arguments=(--silent --show-error --fail --request "$method"
  --header "Authorization: cbs:$APP_ID:$signature"
  --header "Timestamp: $timestamp"
  --header "Nonce: $nonce"
  --header 'Content-Type: application/json')
if [[ -n $body ]]; then
  arguments+=(--data-binary "$body")
fi
curl "${arguments[@]}" "$url$path${query:+?$query}"

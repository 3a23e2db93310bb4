#!/usr/bin/env bash
# Runs the signer on a file of vectors and exits 1 on any difference. Each line holds one vector's fields in
# Base64, separated by commas; "-" is null.

set -uo pipefail
source "$(dirname "$0")/../../../examples/bash/request_signer.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stages=0 signed=0 refused=0 differences=0

text() {
  base64 -d <<<"$1"
}

# Compares standard input with a field, both in Base64, as not every value fits into a variable.
expect() {
  local actual expected=$2
  actual=$(base64 -w 0)
  [[ $expected == - ]] && expected=''
  if [[ $actual != "$expected" ]]; then
    echo "$id: $1 is $actual, expected $expected" >&2
    differences=$((differences + 1))
  fi
}

check_stages() {
  local md5
  md5=$(content_md5 "$method" "$work/body")
  expect contentMd5 "$f_md5" < <(printf '%s' "$md5")
  expect canonicalResource "$f_resource" < <(canonical_resource "$target")
  string_to_sign "$method" "$md5" "$timestamp" "$nonce" "$target" >"$work/text"
  expect stringToSign "$f_text" <"$work/text"
  local value
  value=$(signature "$secret" <"$work/text")
  expect signature "$f_signature" < <(printf '%s' "$value")
  expect authorization "$f_authorization" < <(authorization "$app_id" "$value")
  stages=$((stages + 1))
}

run_signer() {
  TIMESTAMP=$timestamp NONCE=$nonce sign "$app_id" "$secret" "$method" "$target" "$work/body"
}

check_signer() {
  local headers
  headers=$(run_signer)
  local expected="Authorization: $(text "$f_authorization")"$'\n'"Timestamp: $timestamp"$'\n'"Nonce: $nonce"
  if [[ $headers != "$expected" ]]; then
    echo "$id: the headers are $headers" >&2
    differences=$((differences + 1))
  fi
  signed=$((signed + 1))
}

check_refusal() {
  if run_signer >/dev/null 2>&1; then
    echo "$id: was signed, expected an error" >&2
    differences=$((differences + 1))
  else
    refused=$((refused + 1))
  fi
}

while IFS=, read -r f_id f_app_id f_secret f_method f_target f_timestamp f_nonce f_body f_omit f_plus f_signer \
  f_md5 f_resource f_text f_signature f_authorization; do
  id=$(text "$f_id") app_id=$(text "$f_app_id") secret=$(text "$f_secret") method=$(text "$f_method")
  target=$(text "$f_target") timestamp=$(text "$f_timestamp") nonce=$(text "$f_nonce")
  OMIT_CONTENT_MD5=$(text "$f_omit") PLUS=$(text "$f_plus") signer=$(text "$f_signer")
  text "$f_body" >"$work/body"
  [[ $f_text != - ]] && check_stages
  # As in the other languages, a timestamp that is not a number is not given to the signer.
  if [[ -z $signer ]]; then
    check_signer
  elif [[ $signer == refuses && $timestamp =~ ^[0-9]+$ ]]; then
    check_refusal
  fi
done <"$1"

echo "stages=$stages signed=$signed refused=$refused"
[[ $differences -eq 0 ]]

#!/bin/sh
# Makes sure that commands are there: need.sh COMMAND=DEBIAN_PACKAGE ...
# Installs what is missing where it may (root on a Debian system), else says in one message what to install.
set -eu
missing=""
for pair in "$@"; do
  command -v "${pair%%=*}" >/dev/null 2>&1 || missing="$missing ${pair#*=}"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  { apt-get -qq update && apt-get -qq install --no-install-recommends -y $missing; } >/dev/null && exit 0
fi
echo "Missing:$missing. Please install these packages, then run make again." >&2
exit 1

#!/usr/bin/env bash
# What the CI action does once Lockwarden is installed: one audit for the job summary, and one in a file where it is asked for.
#
# It is sourced somewhere else than in the checkout. Everything comes in through the environment, so that no input is ever
# part of a command, and nothing of the checkout can take part in one:
#   HOME_OF_TOOL      the virtual environment with Lockwarden
#   CHECK_FOLDER      the checkout
#   CHECK_PATHS       lock files or folders in it, one a line
#   CHECK_BASE        revision to review against, or empty
#   CHECK_POLICY      policy file out of the change's reach, or empty
#   CHECK_ARGUMENTS   more options of lockwarden check, one a line
#   CHECK_SARIF       file for the SARIF report, or empty
#   CHECK_MODULES     true checks the modules as well
#   CHECK_FAIL_OPEN   true lets an incomplete audit (exit code 3) pass
set -euo pipefail

# Of folders that are named from the current one on, the checkout would decide what is in them.
absolute() {
  local folder kept=""
  while IFS= read -r -d : folder; do
    case $folder in /*) kept=${kept:+$kept:}$folder ;; esac
  done <<<"$1:"
  REPLY=$kept
}
absolute "${PATH:-}" && PATH=$REPLY
if [ -n "${LD_LIBRARY_PATH:-}" ]; then
  absolute "$LD_LIBRARY_PATH" && LD_LIBRARY_PATH=$REPLY
fi
unset "${!PYTHON@}"

# The runner acts on lines of the log; between these two it does not. One stream keeps them in order.
exec 2>&1
token=$("$HOME_OF_TOOL/bin/python" -I -c 'import secrets; print(secrets.token_hex(32))')
echo "::stop-commands::$token"
trap 'echo "::$token::"' EXIT

words=()
while IFS= read -r line; do
  [ -z "$line" ] || words+=("$line")
done <<<"${CHECK_ARGUMENTS:-}"
[ -z "${CHECK_BASE:-}" ] || words+=("--base=$CHECK_BASE")
[ -z "${CHECK_POLICY:-}" ] || words+=("--policy=$CHECK_POLICY")
[ "${CHECK_MODULES:-}" != true ] || words+=(--modules)
words+=("--report=markdown:${GITHUB_STEP_SUMMARY:-/dev/stderr}")
[ -z "${CHECK_SARIF:-}" ] || words+=("--report=sarif:$CHECK_SARIF")
paths=()
while IFS= read -r line; do
  [ -z "$line" ] || paths+=("$line")
done <<<"${CHECK_PATHS:-.}"

CDPATH="" cd -- "$CHECK_FOLDER"
code=0
"$HOME_OF_TOOL/bin/python" -I -m lockwarden.cli check "${words[@]}" -- "${paths[@]:-.}" || code=$?
[ -z "${GITHUB_OUTPUT:-}" ] || printf 'exit-code=%d\n' "$code" >>"$GITHUB_OUTPUT"
if [ "$code" = 3 ] && [ "${CHECK_FAIL_OPEN:-}" = true ]; then
  echo "Not everything could be checked; the job goes on because fail-open is true."
  exit 0
fi
exit "$code"

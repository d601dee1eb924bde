#!/usr/bin/env bash
# What the CI action does once Lockwarden is installed: one audit for the job summary, and one in a file where it is asked for.
#
# Everything comes in through the environment, so that no input is ever part of a command:
#   LOCKWARDEN_PATHS       lock files or folders, one a line
#   LOCKWARDEN_BASE        revision to review against, or empty
#   LOCKWARDEN_POLICY      policy file out of the change's reach, or empty
#   LOCKWARDEN_ARGUMENTS   more options of lockwarden check, one a line
#   LOCKWARDEN_SARIF       file for the SARIF report, or empty
#   LOCKWARDEN_FAIL_OPEN   true lets an incomplete audit (exit code 3) pass
set -euo pipefail

words=()
while IFS= read -r line; do
  [ -z "$line" ] || words+=("$line")
done <<<"${LOCKWARDEN_ARGUMENTS:-}"
[ -z "${LOCKWARDEN_BASE:-}" ] || words+=(--base "$LOCKWARDEN_BASE")
[ -z "${LOCKWARDEN_POLICY:-}" ] || words+=(--policy "$LOCKWARDEN_POLICY")
paths=()
while IFS= read -r line; do
  [ -z "$line" ] || paths+=("$line")
done <<<"${LOCKWARDEN_PATHS:-.}"

reports=(--report "markdown:${GITHUB_STEP_SUMMARY:-/dev/stderr}")
[ -z "${LOCKWARDEN_SARIF:-}" ] || reports+=(--report "sarif:$LOCKWARDEN_SARIF")

code=0
lockwarden check "${words[@]}" "${reports[@]}" -- "${paths[@]}" || code=$?
[ -z "${GITHUB_OUTPUT:-}" ] || echo "exit-code=$code" >>"$GITHUB_OUTPUT"
if [ "$code" = 3 ] && [ "${LOCKWARDEN_FAIL_OPEN:-}" = true ]; then
  echo "Not everything could be checked; the job goes on because fail-open is true." >&2
  exit 0
fi
exit "$code"

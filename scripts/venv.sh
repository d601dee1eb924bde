#!/bin/sh
# Makes a virtual environment with the locked development dependencies: venv.sh PYTHON FOLDER
set -eu
python=$1
folder=$2
"$python" -I -c 'import sys; sys.exit("Lockwarden needs Python 3.11 or newer." if sys.version_info < (3, 11) else 0)'
if ! "$python" -I -c 'import ensurepip, venv' >/dev/null 2>&1; then
  sh "$(dirname "$0")/need.sh" no-such-command=python3-venv
fi
"$python" -I -m venv "$folder"
"$folder/bin/python" -I -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/dev.txt

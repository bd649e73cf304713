#!/bin/sh
# Runs the program on the Node beside it, wherever a link to this file leads from.
folder=$(dirname "$(dirname "$(readlink -f "$0")")")
exec "$folder/lib/node" "$folder/lib/app-registry/dist/cli/main.js" "$@"

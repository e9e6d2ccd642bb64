#!/usr/bin/env bash
# An import onto a full disk, with a server running, then the same with room. In the folder $1; $2 is how the disk is
# made small: `mount` (a file system of its own) or `limit` (a limit on every file). Prints what the failing imports said.
set -eu
cd "$1"
export ROLEBOOK_DATABASE_URL=sqlite:disk/rolebook.db
rolebook() { "$NODE" "$MAIN" "$@"; }
ask() { "$NODE" -e 'fetch(process.argv[1], { headers: { authorization: "Bearer " + process.argv[2] } }).then(async (r) => console.log(r.status, await r.text()))' "$@"; }

mkdir disk
if [ "$2" = mount ]; then mount -t tmpfs -o size=24m none disk; fi
rolebook import state-0.ndjson > summary
token=$(rolebook token create --organization bench 2> /dev/null)
"$NODE" "$MAIN" serve --port 0 2> served &
server=$!
trap 'kill $server 2> /dev/null || true' EXIT
until grep -qs serves served; do sleep 0.1; done
url=$(sed -n 's/.*serves .* at \([^"]*\)".*/\1/p' served)/v1/$LISTING
ask "$url" "$token" > before

if [ "$2" = mount ]; then head -c 100m /dev/zero > disk/filler 2> /dev/null || true; else ulimit -S -f 2000; fi
for _ in 1 2; do
  if rolebook import --allow-removals state-1.ndjson; then echo "the import went through" >&2; exit 3; fi
done
ask "$url" "$token" > during
cmp before during

rm -f disk/filler
ulimit -S -f unlimited
rolebook import --allow-removals state-1.ndjson > summary
if ls disk/rolebook.db-staging-* 2> /dev/null; then echo "a staging file is left" >&2; exit 4; fi
ask "$url" "$token" > after
kill $server
wait $server
rolebook export --organization bench > exported

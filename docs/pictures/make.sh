#!/usr/bin/env bash
# Makes the pictures of README from real games: bash docs/pictures/make.sh
# Each is one screen of a seeded game in which the person types the same number
# again and again.
set -euo pipefail
cd "$(dirname "$0")/../.."
make -s build
typed=$(mktemp)
trap 'rm -f "$typed"' EXIT
screen() { # NAME, what is TYPED, FIRST words of the screen, WHICH of those, how many LINES, arguments of copse play
  local name=$1 number=$2 first=$3 which=$4 lines=$5; shift 5
  for _ in {1..500}; do echo "$number"; done >"$typed"
  bin/copse play "$@" --colour always <"$typed" |
    sed -E 's/^(\x1b\[[0-9;]*m)*> ?//' |
    awk -v first="$first" -v which="$which" -v lines="$lines" \
      'index($0, first) && ++met == which { n = 1 } n && n <= lines { print; n++ }' |
    python3 docs/pictures/terminal.py >"docs/pictures/$name.svg"
}
screen bosk-autumn 1 'Autumn, round 6 of 8' 1 49 bosk --seats 4 --seed oak --lang en
screen grandbois 2 'The Forest: 21 of 36' 1 37 grandbois --seats 3 --seed chestnut --lang en

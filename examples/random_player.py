#!/usr/bin/env python3
"""Plays a whole game of Bosk by random moves through `copse engine`.

    python3 examples/random_player.py bin/copse [seats] [seed]
"""
import json
import random
import subprocess
import sys

copse = sys.argv[1] if len(sys.argv) > 1 else "bin/copse"
seats = int(sys.argv[2]) if len(sys.argv) > 2 else 2
rng = random.Random(sys.argv[3] if len(sys.argv) > 3 else "1")

engine = subprocess.Popen([copse, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(**request):
    """Sends one request and gives back its answer."""
    engine.stdin.write(json.dumps(request) + "\n")
    engine.stdin.flush()
    answer = json.loads(engine.stdout.readline())
    if not answer["ok"]:
        sys.exit(f"{request}: {answer}")
    return answer


state = ask(do="new", game="bosk", seats=seats)
while state["toAct"]:
    moves = ask(do="moves")["moves"]
    state = ask(do="play", seat=state["toAct"][0], move=rng.choice(moves))

for number, seat in enumerate(ask(do="standing")["seats"]):
    print(f"seat {number}: {seat['total']} points {seat['parts']}, rank {seat['rank']}")

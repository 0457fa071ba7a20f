#!/usr/bin/env python3
"""A whole bot for a Copse server, with nothing but Python.

    COPSE_TOKEN=copse_… python3 examples/bot.py http://localhost:8080 TABLE

docs/api.md says how to make a token. Put your own idea into choose().
"""
import http.client, json, os, random, secrets, sys, time, urllib.error, urllib.request

server, at = sys.argv[1], "/api/tables/" + sys.argv[2]


def ask(path, body=None, **header):
    """Asks the server: a GET, or a POST where there is a body."""
    data = None if body is None else json.dumps(body).encode()
    header |= {"Authorization": "Bearer " + os.environ["COPSE_TOKEN"], "Content-Type": "application/json"}
    return urllib.request.urlopen(urllib.request.Request(server + path, data, header), timeout=60)


def choose(moves):
    return random.choice(moves)


def act():
    """Makes a move. Its key makes it harmless to send it again."""
    now, key = json.load(ask(at + "/moves")), secrets.token_hex()
    draft = {"after": now["after"], "moves": [choose(now["moves"])]}
    while True:
        try:  # only an answer that names the entry says that the move is made
            return json.load(ask(at + "/moves", draft, **{"Idempotency-Key": key}))["number"]
        except urllib.error.HTTPError as refused:
            if refused.code not in (408, 429, 503): return print(json.load(refused)["title"])  # overtaken
        except (OSError, http.client.HTTPException, ValueError, LookupError): pass  # the line broke
        time.sleep(1)  # the same again


def events(last="", kind=""):
    """Hears the stream, and goes on where it was when the line breaks."""
    while True:
        try:
            for line in ask("/api/stream?table=" + sys.argv[2], **{"Last-Event-ID": last}):
                name, _, value = line.decode().rstrip("\n").partition(": ")
                last, kind = (value if name == "id" else last), (value if name == "event" else kind)
                if name == "data" and kind in ("look", "entry"):
                    yield json.loads(value)
        except (OSError, http.client.HTTPException):
            time.sleep(1)


if "you" not in json.load(ask(at)):
    json.load(ask(at + "/sit", {"nonce": secrets.token_hex(16)}))["number"]
seat = json.load(ask(at))["you"]
for told in events():
    state = told.get("look") or told
    if state.get("people", {}).get("phase") == "over":
        print(json.dumps(state["standing"]))
        break
    if state["toAct"] == [seat]:
        act()

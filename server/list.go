package server

import "net/http"

const (
	get, post, patch, del = http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete

	atTable = "/api/tables/{table}"
)

// endpoints is everything that can be asked for, in the order of the document.
func endpoints() []endpoint {
	from := parameter{name: "before", kind: "integer", about: "The `serial` of the last table already known, to go on from there."}
	most := parameter{name: "most", kind: "integer", least: 1, about: "How many at most. There are never more in one answer than the server wants to send."}
	number := parameter{name: "from", kind: "integer", about: "The number to begin at."}
	list := []endpoint{
		on(endpoint{name: "games", banned: true, method: get, path: "/api/games", group: "Games", about: "What can be played: games, options, bots, paces, set phrases."}, (*call).games),

		on(endpoint{name: "me", banned: true, cookie: true, method: get, path: "/api/me", group: "People", about: "Who I am here."}, (*call).me),
		on(endpoint{name: "become", refuses: []int{http.StatusConflict}, cookie: true, method: post, path: "/api/me", group: "People", about: "Play at once as a guest with a name.", status: http.StatusCreated,
			more: "The answer sets a cookie, which keeps the seats of this browser."}, (*call).become),
		on(endpoint{name: "rename", refuses: []int{http.StatusNotFound, http.StatusConflict}, method: patch, path: "/api/me", group: "People", about: "Take another name.", who: persons}, (*call).rename),
		on(endpoint{name: "forget", banned: true, refuses: []int{http.StatusConflict}, cookie: true, method: del, path: "/api/me", group: "People", about: "Delete me: my games stay, my name goes.", who: persons, long: true,
			more: "Where a game goes on I give up; where none has begun I get up. Programs of mine go too."}, (*call).forgetMe),
		on(endpoint{name: "signOut", banned: true, cookie: true, method: del, path: "/api/me/session", group: "People", about: "Sign out here.", who: persons}, (*call).signOut),
		on(endpoint{name: "signOutEverywhere", banned: true, refuses: []int{http.StatusConflict}, cookie: true, method: del, path: "/api/me/sessions", group: "People", about: "Sign out everywhere.", who: persons,
			more: "Codes that were not used yet are worth nothing any more. Programs keep their tokens: delete them one by one."}, (*call).signOutEverywhere),
		on(endpoint{name: "code", refuses: []int{http.StatusNotFound, http.StatusConflict}, method: post, path: "/api/me/code", group: "People", about: "A code to go on as the same person on another device.", status: http.StatusCreated, who: persons,
			more: "It is good once and for ten minutes. The link is `/continue#CODE` on this server."}, (*call).code),
		on(endpoint{name: "continue", banned: true, refuses: []int{http.StatusConflict}, cookie: true, method: post, path: "/api/continue", group: "People", about: "Go on here as the person who made a code elsewhere.",
			more: "Who is somebody else here is refused by `server.continue`, unless `replace` is true: then this browser is that person no longer."}, (*call).goOn),
		on(endpoint{name: "programs", banned: true, method: get, path: "/api/me/programs", group: "People", about: "My programs.", who: persons}, (*call).programs),
		on(endpoint{name: "addProgram", refuses: []int{http.StatusNotFound, http.StatusConflict}, method: post, path: "/api/me/programs", group: "People", about: "A token for a program of mine.", status: http.StatusCreated, who: persons,
			more: "The program plays in a name of its own, and everyone sees that it is one. The token is shown once, and is good for a year; send it as `Authorization: Bearer TOKEN`. In its last two weeks every answer to the program has a header `Copse-Token-Until`."}, (*call).addProgram),
		on(endpoint{name: "renewProgram", method: post, path: "/api/me/programs/{program}/token", group: "People", about: "A new token for a program of mine, good for another year.", status: http.StatusCreated, who: persons,
			more: "It is shown once. The one before is good no longer."}, (*call).renewProgram),
		on(endpoint{name: "dropProgram", method: del, path: "/api/me/programs/{program}", group: "People", about: "Delete a program of mine, and its token.", who: persons}, (*call).dropProgram),
		on(endpoint{name: "sessions", banned: true, method: get, path: "/api/me/sessions", group: "People", about: "The browsers in which I am signed in, the last used first.", who: persons}, (*call).sessions),
		on(endpoint{name: "endSession", banned: true, refuses: []int{http.StatusConflict}, cookie: true, method: del, path: "/api/me/sessions/{session}", group: "People", about: "Sign out in one browser.", who: persons,
			more: "A member who signs out elsewhere, or everywhere, has signed in within the last fifteen minutes, as in `beginPasskey`; to sign out here that is not asked."}, (*call).endSession),
		on(endpoint{name: "mine", banned: true, method: get, path: "/api/me/download", group: "People", about: "All that is mine: account, passkeys, browsers, programs, what I said, and every game that is over.", who: persons, long: true,
			more: "It is written while it is read; what was cut off has no `whole` at its end."}, (*call).mine),

		on(endpoint{name: "passkeys", banned: true, method: get, path: "/api/me/passkeys", group: "Members", about: "How I can come back: my passkeys, and how many recovery codes are left.", who: persons}, (*call).passkeys),
		on(endpoint{name: "beginPasskey", refuses: []int{http.StatusConflict}, method: post, path: "/api/me/passkey/begin", group: "Members", about: "A challenge for a new passkey.", status: http.StatusCreated, who: persons,
			more: "A member who has not signed in within the last fifteen minutes is refused by `server.recent`: sign in first, as oneself. So they are wherever they change how they come back."}, (*call).beginPasskey),
		on(endpoint{name: "addPasskey", refuses: []int{http.StatusConflict, http.StatusNotFound}, cookie: true, method: post, path: "/api/me/passkeys", group: "Members", about: "Keep my name: a passkey by which I can come back.", status: http.StatusCreated, who: persons,
			more: "The first one makes a guest a member: games, programs and all stay, nobody else can have the name or one that looks like it, and the answer tells recovery codes, once. The session is a new one."}, (*call).addPasskey),
		on(endpoint{name: "labelPasskey", method: patch, path: "/api/me/passkeys/{passkey}", group: "Members", about: "Give a passkey another label.", who: persons}, (*call).labelPasskey),
		on(endpoint{name: "removePasskey", refuses: []int{http.StatusConflict}, method: del, path: "/api/me/passkeys/{passkey}", group: "Members", about: "Remove a passkey.", who: persons,
			more: "The last one is refused by `server.passkey.last`, unless `last` is true.", query: []parameter{{name: "last", kind: "boolean", about: "Also where it is the last one."}}}, (*call).removePasskey),
		on(endpoint{name: "makeCodes", refuses: []int{http.StatusConflict, http.StatusNotFound}, method: post, path: "/api/me/codes", group: "Members", about: "New recovery codes, in place of all before.", status: http.StatusCreated, who: persons}, (*call).makeCodes),
		on(endpoint{name: "beginSignIn", banned: true, refuses: []int{http.StatusConflict}, cookie: true, method: post, path: "/api/sign-in/begin", group: "Members", about: "A challenge for a passkey that I have.", status: http.StatusCreated, who: visitors,
			more: "The answer sets a cookie: the same browser must bring the ticket back."}, (*call).beginSignIn),
		on(endpoint{name: "signIn", banned: true, refuses: []int{http.StatusConflict}, cookie: true, method: post, path: "/api/sign-in", group: "Members", about: "Sign in by a passkey.", who: visitors,
			more: "Who is somebody else here is refused by `server.replace`, unless `replace` is true: then this browser is that person no longer. Accounts are never merged. What is refused so may be sent again with the same ticket."}, (*call).signInByPasskey),
		on(endpoint{name: "recover", banned: true, refuses: []int{http.StatusConflict}, cookie: true, method: post, path: "/api/recover", group: "Members", about: "Sign in by a recovery code, which is good once.", who: visitors,
			more: "Who is somebody else here is refused as in `signIn`."}, (*call).recoverMe),

		on(endpoint{name: "profile", method: get, path: "/api/people/{name}", group: "Profiles", about: "A member's page: name, results and ratings, as far as they show them.",
			more: "Guests and programs have none. What a member does not show is not there; docs/profile.md says who sees what."}, (*call).profile),
		on(endpoint{name: "profileGames", method: get, path: "/api/people/{name}/games", group: "Profiles", about: "A member's finished games at open tables, the newest first.",
			query: []parameter{{name: "before", kind: "integer", about: "`more` of the answer before, to go on from there."}, most, {name: "closed", kind: "boolean", about: "Those at other tables instead, which only I am told of mine."}}}, (*call).profileGames),
		on(endpoint{name: "show", refuses: []int{http.StatusConflict, http.StatusNotFound}, method: patch, path: "/api/me/shown", group: "Profiles", about: "What others see on my page.", who: persons,
			more: "What is left out stays as it is. The name is always shown."}, (*call).show),
		on(endpoint{name: "doorbell", method: get, path: "/api/me/doorbell", group: "Doorbell", about: "What I am told though no page of mine is open, and in which browsers.", who: persons}, (*call).doorbell),
		on(endpoint{name: "setDoorbell", refuses: []int{http.StatusNotFound}, method: patch, path: "/api/me/doorbell", group: "Doorbell", about: "Choose what I am told, and when I am left alone.", who: persons}, (*call).setDoorbell),
		on(endpoint{name: "addBrowser", refuses: []int{http.StatusConflict, http.StatusNotFound}, method: post, path: "/api/me/doorbell/browsers", group: "Doorbell", about: "Have this browser told that it is my turn, by way of its push service.", status: http.StatusCreated, who: persons,
			more: "A turn is told once at most, and only if nobody looks at the table. What is sent is sealed for the browser alone (RFC 8291) and names the game, who plays along and how much time is left; nothing else. Of more than ten browsers the oldest go. It ends with the session in which it was switched on. docs/push.md tells more."}, (*call).addBrowser),
		on(endpoint{name: "dropBrowser", method: del, path: "/api/me/doorbell/browsers/{browser}", group: "Doorbell", about: "Have a browser told nothing any more.", who: persons}, (*call).dropBrowser),
		on(endpoint{name: "tryDoorbell", refuses: []int{http.StatusConflict}, method: post, path: "/api/me/doorbell/try", group: "Doorbell", about: "Have this browser told something, to see whether it is.", who: persons}, (*call).tryDoorbell),

		on(endpoint{name: "openTables", method: get, path: "/api/tables", group: "Tables", about: "Tables that are open to everyone, the newest first.",
			query: []parameter{{name: "game", kind: "string", about: "Only of this game."}, from, most}}, (*call).openTables),
		on(endpoint{name: "myTables", method: get, path: "/api/me/tables", group: "Tables", about: "Tables at which I play, those first where it is my turn.", who: players}, (*call).myTables),
		on(endpoint{name: "playedTables", method: get, path: "/api/me/played", group: "Tables", about: "Tables at which I played, the newest first.", who: players,
			query: []parameter{from, most}}, (*call).playedTables),
		on(endpoint{name: "create", refuses: []int{http.StatusConflict}, method: post, path: "/api/tables", group: "Tables", about: "Set a table.", status: http.StatusCreated, who: players, most: largestCreate,
			more: "Nobody sits at it yet. Whoever has its link may sit down; what they bring to chance, they bring after they have seen the commitment."}, (*call).create),

		on(endpoint{name: "playNow", refuses: []int{http.StatusConflict}, method: post, path: "/api/play", group: "Play now", about: "Play with whoever wants to as well.", who: persons,
			more: "People are matched by strength: those nearest first, further apart the longer they wait. Ask `waiting` how it stands, about once a second: who does not ask for six seconds is not matched, and after a quarter of a minute waits no more. Pressed again it is the same wait, also on another device. docs/ratings.md tells what follows from rated games."}, (*call).playNow),
		on(endpoint{name: "waiting", method: get, path: "/api/play", group: "Play now", about: "How it stands with my wait for others.", who: persons,
			more: "`state` is `none` where I do not wait; `waiting`; `ready` where others were found, and everybody has until `by` to `come`; `out` where I did not; `table` once the game has begun, at `table`."}, (*call).waiting),
		on(endpoint{name: "come", method: post, path: "/api/play/ready", group: "Play now", about: "I am there: others were found, and I want to begin.", who: persons,
			more: "The game begins when everybody has come. Who sits where is drawn from the secret of the table, to which `commitment` commits, and from what everybody brings."}, (*call).come),
		on(endpoint{name: "stopWaiting", method: del, path: "/api/play", group: "Play now", about: "Wait no more.", who: persons}, (*call).stopWaiting),
		on(endpoint{name: "ratings", method: get, path: "/api/me/ratings", group: "Play now", about: "My ratings, with how they went.", who: persons}, (*call).ratings),

		on(endpoint{name: "look", method: get, path: atTable, group: "One table", about: "The table as I may see it now."}, (*call).look),
		on(endpoint{name: "record", refuses: []int{http.StatusConflict}, method: get, path: atTable + "/record", group: "One table", about: "The game as I lived through it, as an engine opens it (`open` of docs/engine.md)."}, (*call).record),
		on(endpoint{name: "moves", refuses: []int{http.StatusConflict}, method: get, path: atTable + "/moves", group: "One table", about: "What whoever is to act may do, as far as I can know.",
			query: []parameter{{name: "facts", kind: "boolean", about: "With what a screen shows of each move."}}}, (*call).moves),
		on(endpoint{name: "sheet", refuses: []int{http.StatusConflict}, method: get, path: atTable + "/sheet", group: "One table", about: "The score, explained line by line, as far as I can know."}, (*call).sheet),
		on(endpoint{name: "entries", method: get, path: atTable + "/entries", group: "One table", about: "What happened, as I may hear it, from an entry on.",
			query: []parameter{number, most}}, (*call).entries),
		on(endpoint{name: "replay", refuses: []int{http.StatusBadRequest}, method: get, path: atTable + "/entries/{number}", group: "One table", about: "The table as it was after an entry."}, (*call).replay),
		on(endpoint{name: "export", refuses: []int{http.StatusConflict}, method: get, path: atTable + "/export", group: "One table", about: "A finished game for anyone to keep and verify (docs/log.md).", mime: "application/jsonl",
			gift: "The whole game, a line for each entry."}, (*call).export),
		on(endpoint{name: "lines", method: get, path: atTable + "/chat", group: "One table", about: "What was said.", query: []parameter{number}}, (*call).lines),

		on(endpoint{name: "sit", method: post, path: atTable + "/sit", group: "At the table", about: "Sit down: before the game at an empty seat, while it goes on at the seat of a bot.", who: players, once: true}, (*call).sit),
		on(endpoint{name: "leave", method: post, path: atTable + "/leave", group: "At the table", about: "Get up: before the game the seat is empty again, while it goes on a bot plays until I return.", who: players, once: true}, (*call).leave),
		on(endpoint{name: "return", method: post, path: atTable + "/return", group: "At the table", about: "Take my seat back from the bot that plays for me.", who: players, once: true}, (*call).comeBack),
		on(endpoint{name: "seatBot", method: post, path: atTable + "/bots", group: "At the table", about: "Sit a bot down before the game.", who: players, once: true}, (*call).seatBot),
		on(endpoint{name: "dropBot", method: del, path: atTable + "/bots/{seat}", group: "At the table", about: "Send a bot away before the game.", who: players, once: true}, (*call).dropBot),
		on(endpoint{name: "kick", method: post, path: atTable + "/kick", group: "At the table", about: "Send a person away before the game: they may not sit down at this table again, and others, unless it is open to all, only by a new link.", who: players, once: true}, (*call).kick),
		on(endpoint{name: "start", method: post, path: atTable + "/start", group: "At the table", about: "Begin, with bots at the empty seats if a bot is named.", who: players, once: true}, (*call).start),
		on(endpoint{name: "play", method: post, path: atTable + "/moves", group: "At the table", about: "Make the moves of a draft, all or none.", who: players, once: true,
			more: "`after` is the last entry that was seen when the draft was made. What happened since and does not change the game does no harm; what does is named in the refusal. Moves stop where chance draws."}, (*call).play),
		on(endpoint{name: "undo", method: post, path: atTable + "/undo", group: "At the table", about: "Go back: at once against bots alone, else when the others agree.", who: players, once: true}, (*call).undo),
		on(endpoint{name: "suggestPause", method: post, path: atTable + "/pause", group: "At the table", about: "Ask the others to pause.", who: players, once: true}, (*call).suggestPause),
		on(endpoint{name: "resume", method: post, path: atTable + "/resume", group: "At the table", about: "End a pause.", who: players, once: true}, (*call).resume),
		on(endpoint{name: "suggestAbandon", method: post, path: atTable + "/abandon", group: "At the table", about: "Ask the others to end the game without a winner.", who: players, once: true}, (*call).suggestAbandon),
		on(endpoint{name: "agree", method: post, path: atTable + "/answer", group: "At the table", about: "Agree to what somebody asks for, or do not.", who: players, once: true}, (*call).agree),
		on(endpoint{name: "resign", method: post, path: atTable + "/resign", group: "At the table", about: "Give up; a bot plays on.", who: players, once: true}, (*call).resign),
		on(endpoint{name: "rematch", refuses: []int{http.StatusConflict}, method: post, path: atTable + "/rematch", group: "At the table", about: "Another game with the same people: the same table for all who ask, where each has a seat kept, one further on. Nobody sits there yet: `sit` down next, naming no seat, with a nonce made after the answer.", who: players}, (*call).rematch),
		on(endpoint{name: "say", method: post, path: atTable + "/chat", group: "At the table", about: "Say something: a set phrase or a line of text.", who: players, once: true, status: http.StatusCreated}, (*call).say),

		on(endpoint{name: "report", refuses: []int{http.StatusConflict, http.StatusNotFound}, method: post, path: "/api/reports", group: "Peace", about: "Report somebody to who runs this house.", who: persons,
			more: "The name, or what was said, is kept as it is now. Nobody else learns of it, and I do not learn what follows. The same thing is reported once, however often it is sent."}, (*call).report),
		on(endpoint{name: "reports", refuses: []int{http.StatusConflict, http.StatusNotFound}, method: get, path: "/api/operator/reports", group: "Peace", about: "Reports, the oldest first: those that nobody has closed, or all.", who: persons,
			query: []parameter{{name: "all", kind: "boolean", about: "Also those that were closed."}, {name: "after", kind: "integer", about: "The number of the last report already known, to go on from there."}},
			more:  "For operators who have signed in within the last fifteen minutes, like all that follows; others of them are refused by `server.recent`, and for everybody else there is no such address."}, atDesk((*call).reports)),
		on(endpoint{name: "oneReport", refuses: []int{http.StatusConflict}, method: get, path: "/api/operator/reports/{report}", group: "Peace", about: "A report with what was said around it.", who: persons}, atDesk((*call).oneReport)),
		on(endpoint{name: "closeReport", refuses: []int{http.StatusConflict}, method: post, path: "/api/operator/reports/{report}/close", group: "Peace", about: "Be done with a report.", who: persons}, atDesk((*call).closeReport)),
		on(endpoint{name: "people", refuses: []int{http.StatusConflict, http.StatusNotFound}, method: get, path: "/api/operator/people", group: "Peace", about: "People whose names begin like a text, or look as if they did.", who: persons,
			query: []parameter{{name: "name", kind: "string", about: "How the name begins."}}}, atDesk((*call).people)),
		on(endpoint{name: "person", refuses: []int{http.StatusConflict}, method: get, path: "/api/operator/people/{person}", group: "Peace", about: "Somebody: since when, reports about them, what was done.", who: persons}, atDesk((*call).person)),
		on(endpoint{name: "act", refuses: []int{http.StatusConflict}, method: post, path: "/api/operator/people/{person}/acts", group: "Peace", about: "Mute, rename, ban or sign out somebody, or take a mute, a name or a ban back. It is written down.", status: http.StatusCreated, who: persons, long: true}, atDesk((*call).doAct)),
		on(endpoint{name: "acts", refuses: []int{http.StatusConflict, http.StatusNotFound}, method: get, path: "/api/operator/acts", group: "Peace", about: "What operators did, the newest first.", who: persons,
			query: []parameter{{name: "before", kind: "integer", about: "The number of the last act already known, to go on from there."}}}, atDesk((*call).acts)),

		streamEndpoint(),
	}
	return append(list, friendEndpoints()...)
}

package bot

// Nobody measures in a browser, and everyone would have to download what only
// measurements need: there is neither ismcts nor the veteran.

func ismctsOf[S, M comparable]() func(*mind[S, M], int) []choice[M] { return nil }

func veteranOf[S, M comparable](string) chooser[S, M] { return nil }

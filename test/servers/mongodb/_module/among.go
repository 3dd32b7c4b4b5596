package common

import (
	"sync"

	"github.com/FerretDB/FerretDB/internal/types"
	"github.com/FerretDB/FerretDB/internal/util/must"
)

// mostKnown is how many lists of texts are known at a time.
const mostKnown = 64

var (
	knownMu sync.Mutex
	// known has the texts of lists that `$in` was asked with; nil for lists that hold anything else.
	known = map[*types.Array]map[string]struct{}{}
)

// amongTexts tells whether a text is in a list of texts, without a look at each of them for every document;
// isKnown is false for other values and lists.
func amongTexts(value any, list *types.Array) (found, isKnown bool) {
	text, isText := value.(string)
	if !isText {
		return false, false
	}

	texts := textsOf(list)
	if texts == nil {
		return false, false
	}

	_, found = texts[text]

	return found, true
}

func textsOf(list *types.Array) map[string]struct{} {
	knownMu.Lock()
	defer knownMu.Unlock()

	if texts, isKnown := known[list]; isKnown {
		return texts
	}

	if len(known) >= mostKnown {
		clear(known)
	}

	texts := make(map[string]struct{}, list.Len())

	for i := range list.Len() {
		text, isText := must.NotFail(list.Get(i)).(string)
		if !isText {
			texts = nil
			break
		}

		texts[text] = struct{}{}
	}

	known[list] = texts

	return texts
}

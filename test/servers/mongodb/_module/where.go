package sqlite

import (
	"fmt"
	"strings"

	"github.com/FerretDB/FerretDB/internal/backends/sqlite/metadata"
	"github.com/FerretDB/FerretDB/internal/handler/sjson"
	"github.com/FerretDB/FerretDB/internal/types"
	"github.com/FerretDB/FerretDB/internal/util/must"
)

// mostValues is how many values SQLite is asked for at most.
const mostValues = 1000

// where is the part of a filter that SQLite's indexes can serve: ids, and texts in fields of the document itself.
// FerretDB decides on every row that is found, so a row too many does no harm, and one too few would.
func where(filter *types.Document) (string, []any) {
	fields := map[string]any{}
	collect(filter, fields)

	if ids := idsOf(fields["_id"]); ids != nil {
		places := strings.TrimSuffix(strings.Repeat("?, ", len(ids)), ", ")
		return fmt.Sprintf(` WHERE %s IN (%s)`, metadata.IDColumn, places), ids
	}

	var conditions []string
	var args []any

	for name, value := range fields {
		text, isText := value.(string)
		if !isText || name == "_id" {
			continue
		}

		// Written as the indexes are. A list may hold the text.
		column := fmt.Sprintf(`%s->%q`, metadata.DefaultColumn, name)
		conditions = append(conditions, fmt.Sprintf(`(%[1]s = ? OR (%[1]s >= '[' AND %[1]s < '\'))`, column))
		args = append(args, marshal(text))
	}

	if conditions == nil {
		return "", nil
	}

	return ` WHERE ` + strings.Join(conditions, ` AND `), args
}

// collect notes what fields must be, of those that say so once.
func collect(filter *types.Document, fields map[string]any) {
	for _, name := range filter.Keys() {
		value := must.NotFail(filter.Get(name))

		if all, isArray := value.(*types.Array); isArray && name == "$and" {
			for i := range all.Len() {
				if one, isDocument := must.NotFail(all.Get(i)).(*types.Document); isDocument {
					collect(one, fields)
				}
			}
		}

		if _, isKnown := fields[name]; isKnown || strings.ContainsAny(name, `$."`) {
			continue
		}

		fields[name] = value
	}
}

// idsOf is what an id must be one of; nil if that is not said so.
func idsOf(asked any) []any {
	if isID(asked) {
		return []any{marshal(asked)}
	}

	operators, isDocument := asked.(*types.Document)
	if !isDocument || !operators.Has("$in") {
		return nil
	}

	among, isArray := must.NotFail(operators.Get("$in")).(*types.Array)
	if !isArray || among.Len() > mostValues {
		return nil
	}

	ids := []any{}

	for i := range among.Len() {
		id := must.NotFail(among.Get(i))
		if !isID(id) {
			return nil
		}

		ids = append(ids, marshal(id))
	}

	return ids
}

// isID tells of values that are written in one way only.
func isID(value any) bool {
	switch value.(type) {
	case string, types.ObjectID:
		return true
	}

	return false
}

func marshal(value any) string {
	return string(must.NotFail(sjson.MarshalSingleValue(value)))
}

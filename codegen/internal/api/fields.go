package api

import "github.com/pgmc-go/pgmc/codegen/internal/names"

// Fields returns a field for each of some names, and its key in JSON, beside fields and keys that
// are taken.
func Fields(list []string, fields, keys *names.Scope) (ids, json []string) {
	for _, name := range list {
		id := fields.Claim(names.Exported(name, "U", "Unnamed"))
		key := name
		if !tagSafe(key) {
			key = id
		}
		ids, json = append(ids, id), append(json, keys.Claim(key))
	}
	return ids, json
}

package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// observedOption tells method edgedel which variables the one row of a query has a state of, so that their edges cost nothing. A row that
// can't be read tells nothing here; whoever answers it says why.
func observedOption(row []byte, m *model.Model) []string {
	var r struct{ Evidence map[string]json.RawMessage }
	if json.Unmarshal(row, &r) != nil {
		return nil
	}
	var words []string
	for _, v := range m.Vars {
		if state, ok := r.Evidence[v.Name]; ok && state[0] == '"' {
			words = append(words, fmt.Sprint(v.ID))
		}
	}
	if words == nil {
		return nil
	}
	return []string{"observed=" + strings.Join(words, ",")}
}

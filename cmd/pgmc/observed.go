package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// observedOption tells method edgedel which variables the one row of a query has a state of, so that their edges cost nothing, and with
// recovery, which states, since edges are chosen for these. A row that can't be read tells nothing here; whoever answers it says why.
func observedOption(row []byte, m *model.Model, recovery bool) []string {
	var r struct{ Evidence map[string]json.RawMessage }
	if json.Unmarshal(row, &r) != nil {
		return nil
	}
	var words, states []string
	for _, v := range m.Vars {
		state, ok := r.Evidence[v.Name]
		if !ok || state[0] != '"' {
			continue
		}
		words = append(words, fmt.Sprint(v.ID))
		var name string
		if json.Unmarshal(state, &name) != nil {
			continue
		}
		if s, ok := m.StateByName(v.ID, name); ok {
			states = append(states, fmt.Sprintf("%d=%d", v.ID, s))
		}
	}
	if words == nil {
		return nil
	}
	out := []string{"observed=" + strings.Join(words, ",")}
	if recovery && states != nil {
		out = append(out, "evidence="+strings.Join(states, ","))
	}
	return out
}

package main

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// observedOption tells method edgedel which variables are observed, so that their edges cost
// nothing, and with recovery, which states they have, since edges are chosen for these.
func observedOption(known *infer.Findings, m *model.Model, recovery bool) []string {
	var words, states []string
	for v, s := range known.State {
		if s != infer.Missing && !m.Vars[v].Latent {
			words = append(words, fmt.Sprint(v))
			states = append(states, fmt.Sprintf("%d=%d", v, s))
		}
	}
	if words == nil {
		return nil
	}
	out := []string{"observed=" + strings.Join(words, ",")}
	if recovery {
		out = append(out, "evidence="+strings.Join(states, ","))
	}
	return out
}

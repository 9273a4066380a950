package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/model"
)

// adjustmentInfo holds the smallest sets of variables that adjust for the effect of Cause on
// Effect.
type adjustmentInfo struct {
	Cause  string     `json:"cause"`
	Effect string     `json:"effect"`
	Sets   [][]string `json:"sets"`                // none if no set of observable variables adjusts
	All    bool       `json:"all"`                 // there are no other such sets
	None   bool       `json:"no_effect,omitempty"` // no directed path leads from Cause to Effect
}

// mostSets is the most sets that are shown for an effect.
const mostSets = 20

// adjustments answers the questions of --adjust. Each names a cause and an effect.
func (v *modelView) adjustments(texts []string) (list []adjustmentInfo, err error) {
	for _, text := range texts {
		pair, err := nameList(text)
		switch {
		case err != nil:
			return nil, cli.Usagef("--adjust %q: %w", text, err)
		case len(pair) != 2 || pair[0] == pair[1]:
			return nil, cli.Usagef("--adjust %q: want two variables, a cause and an effect, as in 'X, Y'", text)
		case v.m.Kind != model.Bayes:
			return nil, fmt.Errorf("--adjust is for Bayesian networks, whose edges lead from causes to effects; found a %s", v.m.Kind)
		}
		vars, err := v.variables(pair)
		if err != nil {
			return nil, fmt.Errorf("--adjust %q: %w", text, err)
		}
		a := adjustmentInfo{Cause: pair[0], Effect: pair[1], Sets: [][]string{}, None: !v.g.Causes(vars[0], vars[1])}
		usable := make([]bool, len(v.m.Vars))
		for i, x := range v.m.Vars {
			usable[i] = !x.Latent
		}
		var sets [][]model.VarID
		sets, a.All = v.g.AdjustmentSets(vars[0], vars[1], usable, mostSets)
		for _, s := range sets {
			a.Sets = append(a.Sets, append([]string{}, varNames(v.m, s)...))
		}
		list = append(list, a)
	}
	return list, nil
}

// text returns the answer as sentences.
func (a *adjustmentInfo) text() string {
	cause, effect := cli.QuoteName(a.Cause), cli.QuoteName(a.Effect)
	head := fmt.Sprintf("effect of %s on %s: ", cause, effect)
	switch {
	case a.None:
		return head + fmt.Sprintf("none, since no directed path leads there: P(%s | do(%s)) is P(%s)\n", effect, cause, effect)
	case len(a.Sets) == 0:
		return head + "no set of variables that are not latent adjusts for it\n"
	case len(a.Sets[0]) == 0:
		return head + fmt.Sprintf("nothing to adjust for, P(%s | do(%s)) is P(%s | %s)\n", effect, cause, effect, cause)
	}
	text := head + fmt.Sprintf("P(%s | do(%s)) is the sum of P(%s | %s, Z) P(Z), with Z one of\n", effect, cause, effect, cause)
	for _, s := range a.Sets {
		names := slices.Clone(s)
		for i, n := range names {
			names[i] = cli.QuoteName(n)
		}
		text += "  " + strings.Join(names, ", ") + "\n"
	}
	if !a.All {
		text += "and there may be others\n"
	}
	return text
}

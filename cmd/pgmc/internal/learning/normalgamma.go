package learning

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// normalGammas sets the priors of Gaussian CPDs by --normal-gamma.
func (f *FitOptions) normalGammas(m *model.Model) error {
	f.Opt.NormalGamma = map[model.VarID]mle.NormalGamma{}
	for _, text := range f.NormalGamma {
		vars, p, err := normalGamma(m, text)
		if err != nil {
			return fmt.Errorf("--normal-gamma: %w", err)
		}
		for _, v := range vars {
			if _, twice := f.Opt.NormalGamma[v]; twice {
				return fmt.Errorf("--normal-gamma: two priors for %q; want one", m.Vars[int(v)%len(m.Vars)].Name)
			}
			f.Opt.NormalGamma[v] = p
		}
	}
	return nil
}

// normalGamma returns the prior that a text describes, as mean=0,strength=1,shape=2,scale=3, and
// its variables, which it names in front of a colon, or all with Gaussian CPDs.
func normalGamma(m *model.Model, text string) (vars []model.VarID, p mle.NormalGamma, err error) {
	if i := strings.LastIndexByte(text, ':'); i >= 0 {
		groups, err := groupsOf(m, text[:i])
		if err != nil {
			return nil, p, err
		}
		vars, text = slices.Concat(groups...), text[i+1:]
	} else {
		of := m
		if m.Transition != nil {
			of = learn.TwoSlices(m, learn.TieNone)
		}
		for _, x := range of.Factors {
			if x.Gaussian() != nil {
				vars = append(vars, x.ChildVar())
			}
		}
		if vars == nil {
			return nil, p, fmt.Errorf("the model has no Gaussian CPD")
		}
	}
	fields := []struct {
		name string
		to   *float64
	}{{"mean", &p.Mean}, {"strength", &p.Strength}, {"shape", &p.Shape}, {"scale", &p.Scale}}
	parts := strings.Split(text, ",")
	for i, x := range fields {
		value, ok := "", i < len(parts)
		if ok {
			value, ok = strings.CutPrefix(strings.TrimSpace(parts[i]), x.name+"=")
		}
		number, failed := strconv.ParseFloat(value, 64)
		if !ok || failed != nil || len(parts) != len(fields) {
			return nil, p, fmt.Errorf("%q; want mean=M,strength=N,shape=A,scale=B with four numbers", text)
		}
		*x.to = number
	}
	return vars, p, p.Check()
}

package model_test

import (
	"errors"
	"testing"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestTraits(t *testing.T) {
	real := &model.Model{Kind: model.Forest, File: "m.json"}
	real.NewVar("a", "x", "y")
	real.Vars = append(real.Vars, &model.Var{ID: 1, Name: "height", Domain: model.Real{}, Pos: diag.Pos{Line: 3, Col: 5}})
	mixed := &model.Model{}
	d, x := mixed.NewVar("d", "s"), mixed.NewReal("x")
	d.Given = true
	mixed.Factors = []*model.Factor{{Scope: []model.VarID{d.ID, x.ID}, Child: 1, Dist: &model.Gaussian{}, Pos: diag.Pos{File: "n.json", Line: 2, Col: 1}}}
	all := model.Reals | model.Gaussians | model.Mixed | model.Givens
	takers := []model.Taker{{Name: "plain"}, {Name: "one", Takes: model.Forests}, {Name: "two", Takes: model.Forests | model.Reals}}
	for _, c := range []struct {
		name   string
		m      *model.Model
		traits model.Traits
		takes  model.Traits
		want   string
	}{
		{"plain", &model.Model{}, 0, 0, ""},
		{"Markov", &model.Model{Kind: model.Markov}, 0, 0, ""},
		{"cycles", &model.Model{Kind: model.Dependency}, model.Cycles, model.Forests,
			"method x takes no dependency networks, which have no joint distribution, and this is one"},
		{"one of two", real, model.Forests | model.Reals, model.Forests, `m.json:3:5: method x takes no real variables, and "height" is one; two does`},
		{"the first of two", real, model.Forests | model.Reals, 0,
			"m.json: method x takes no latent dependency forest models, the sum of whose weights is #P-hard, and this is one; two does"},
		{"both", real, model.Forests | model.Reals, model.Forests | model.Reals, ""},
		{"several others", &model.Model{Kind: model.Forest}, model.Forests, 0,
			"method x takes no latent dependency forest models, the sum of whose weights is #P-hard, and this is one; one and two do"},
		{"real", mixed, all, 0, `method x takes no real variables, and "x" is one`},
		{"of forests", mixed, all, model.Forests | model.Reals, `n.json:2:1: method x takes no variables with Gaussian CPDs, and "x" is one`},
		{"discrete parent", mixed, all, model.Reals | model.Gaussians, `n.json:2:1: method x takes no real variables with discrete parents, and "x" is one`},
		{"given", mixed, all, all &^ model.Givens, `method x takes no given variables, and "d" is one`},
	} {
		if got := c.m.Traits(); got != c.traits {
			t.Errorf("%s: traits %b; want %b", c.name, got, c.traits)
		}
		err := model.Refuse("method", "x", c.takes, c.m.Needs(), takers)
		if got := message(err); got != c.want {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
		var untaken *model.Untaken
		if errors.As(err, &untaken) != (c.want != "") {
			t.Errorf("%s: the error is a %T", c.name, err)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

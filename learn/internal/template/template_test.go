package template_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/internal/template"
)

// weather returns a template of rain and an umbrella, whose CPD is the same in all slices if same
// is set.
func weather(same bool) *model.Model {
	m := &model.Model{}
	rain, umbrella := m.NewVar("rain", "no", "yes").ID, m.NewVar("umbrella", "no", "yes").ID
	sees := []float64{.8, .2, .1, .9}
	m.Factors = []*model.Factor{{Scope: []model.VarID{rain}, Dist: &model.Table{Values: []float64{.5, .5}}},
		{Scope: []model.VarID{rain, umbrella}, Child: 1, Dist: &model.Table{Values: slices.Clone(sees)}}}
	if !same {
		sees[0], sees[1] = .7, .3
	}
	m.Transition = &model.Transition{Before: []model.VarID{rain}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, rain}, Child: 1, Dist: &model.Table{Values: []float64{.7, .3, .3, .7}}},
		{Scope: []model.VarID{rain, umbrella}, Child: 1, Dist: &model.Table{Values: sees}}}}
	return m
}

func TestTies(t *testing.T) {
	for _, c := range []struct {
		same bool
		ties template.Ties
		more [][]model.VarID
		want string
	}{
		{true, template.Equal, nil, "[[1 3]]"},
		{false, template.Equal, nil, "[]"},
		{false, template.All, nil, "[[1 3]]"},
		{true, template.None, nil, "[]"},
		{true, template.None, [][]model.VarID{{1, 3}}, "[[1 3]]"},
		{true, template.Equal, [][]model.VarID{{0, 1}, {2}}, "[[0 1 3]]"},
	} {
		if got := fmt.Sprint(template.Static(weather(c.same), c.ties, c.more).Tied); got != c.want {
			t.Errorf("%+v: tied %s; want %s", c, got, c.want)
		}
	}
}

// Fill takes the numbers back into the model, and changes nothing else.
func TestFill(t *testing.T) {
	for seed := range uint64(20) {
		m := irtest.RandomTemplate(seed, irtest.TemplateOptions{Reals: seed%2 == 0})
		static := template.Static(m, template.None, nil)
		static.Factors[0].Counts = []float64{1}
		out := template.Fill(m, static)
		if out.Factors[0].Counts == nil || m.Factors[0].Counts != nil {
			t.Errorf("seed %d: the counts are not those of the static network", seed)
		}
		out.Factors[0].Counts = nil
		if !reflect.DeepEqual(out, m) {
			t.Errorf("seed %d: the model has changed", seed)
		}
	}
}

// Only tables of a variable that depends on itself a slice ago stick.
func TestSticky(t *testing.T) {
	m := weather(true)
	got := fmt.Sprint(template.Sticky(m, template.Static(m, template.None, nil), 3))
	if want := "[[] [] [3 0 0 3] []]"; got != want {
		t.Errorf("pseudo-counts %s; want %s", got, want)
	}
}

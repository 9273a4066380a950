package editing

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/testdata/models"
)

// read returns a model that is part of pgmc.
func read(t testing.TB, name string) *model.Model {
	t.Helper()
	x, text, ok := models.Find(name)
	if !ok {
		t.Fatalf("no model %q", name)
	}
	m, list := format.ReadFrom(compiler.Formats, x.File, strings.NewReader(string(text)), format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// FuzzEdits reads edits, a flag and its value in each line, and applies them to models of all
// kinds. Every result must be a model that passes its checks.
func FuzzEdits(f *testing.F) {
	for _, seed := range []string{
		"set lung=yes | smoke=yes: .1\nedge asia->lung\nremove asia\nrename dysp=x",
		"set lung: .1 .9\nadd Z: a b c\nedge Z->lung\nstates Z: c=d a\nremove-edge Z->lung",
		"set x2: mean=1,x1=.5,var=2\nadd g\nedge g->x2\nremove x1\nstates g: no x",
		"set fever=yes | cold=yes: .3\nset fever=yes: 0\nadd r: real\nedge r->cold\nset cold=yes: bias=1,r=2\nremove r\nremove flu",
		"set rain@1=yes | rain@0=no: .2\nedge umbrella@0->rain@1\nstates rain: no yes fog\nremove umbrella\nremove-edge rain@0->rain@1\nset rain@1=fog: .5",
		"set reward | drill=yes: 3\nedge oil->test\nremove oil\nstates drill: no maybe\nremove test",
		"set dust | waste=industrial: mean=1, efficiency=2\nremove waste\nremove-edge dust->light\nremove efficiency\ndescribe co2=\"\x00",
		"set : 1\nset a|b:\nset \"a\\\": 1\nadd \nadd :\nstates x:\nedge ->\nrename =\nremove ,\ncpt =\nset A=yes | B=no: .5\nstates A: a b",
	} {
		f.Add(seed)
	}
	var all []*model.Model
	for _, name := range []string{"asia", "chain", "fever", "nile", "oil", "umbrella", "waste"} {
		all = append(all, read(f, name))
	}
	all = append(all, irtest.Misconception(), irtest.ContextForest(), &model.Model{Name: "empty", Kind: model.Bayes})
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range all {
			apply(t, m, text)
		}
	})
}

// apply applies edits, a flag and its value in each line, as far as they are possible, and returns
// how many were. Every result must pass its checks.
func apply(t *testing.T, m *model.Model, text string) (done int) {
	t.Helper()
	r := &run{ctx: t.Context(), m: m, limit: 1 << 12, maxMem: 1 << 20}
	for line := range strings.Lines(text) {
		s := &Script{}
		fl := pflag.NewFlagSet("", pflag.ContinueOnError)
		s.AddTo(fl)
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if fl.Lookup(name) == nil || name == "cpt" || fl.Set(name, value) != nil {
			continue
		}
		for _, step := range s.steps {
			changed, effects, err := step.apply(r)
			if err != nil {
				continue
			}
			if list := changed.Check(); list.HasErrors() {
				t.Fatalf("%s of %s: %v", text, m.Name, list.Err())
			}
			for _, e := range effects {
				if e.Of == "" || e.Text == "" {
					t.Fatalf("%s of %s: effect %+v", text, m.Name, e)
				}
			}
			r.m = changed
			done++
		}
	}
	return done
}

// TestRandomEdits applies random edits to models of all kinds, one after the other.
func TestRandomEdits(t *testing.T) {
	done := 0
	for seed := range uint64(irtest.Count(t, 30, 3000)) {
		r := rand.New(rand.NewPCG(seed, 11))
		var m *model.Model
		switch seed % 4 {
		case 0:
			m = irtest.RandomModel(seed, irtest.Options{MaxVars: 6, MaxJoint: 1 << 10})
		case 1:
			m = irtest.RandomHybrid(seed, irtest.HybridOptions{})
		default:
			m = read(t, models.List[r.IntN(len(models.List))].Name)
		}
		var text strings.Builder
		for range 12 {
			text.WriteString(randomEdit(r, m) + "\n")
		}
		done += apply(t, m, text.String())
	}
	if done < 50 {
		t.Errorf("%d edits were possible; want 50", done)
	}
}

// randomEdit returns an edit of some variables of m, which may not be possible.
func randomEdit(r *rand.Rand, m *model.Model) string {
	some := func() model.VarID { return model.VarID(r.IntN(len(m.Vars))) }
	name := func(v model.VarID) string {
		return m.Vars[v].Name + []string{"", "", "", "@0", "@1"}[r.IntN(5)]
	}
	state := func(v model.VarID) string {
		if list := m.States(v); len(list) > 0 {
			return list[r.IntN(len(list))]
		}
		return "none"
	}
	v, u := some(), some()
	if f := m.CPD(v); f != nil && len(f.Parents()) > 0 {
		u = f.Parents()[r.IntN(len(f.Parents()))]
	}
	switch r.IntN(11) {
	case 0:
		return fmt.Sprintf("set %s=%s: %v", name(v), state(v), r.Float64())
	case 1:
		return fmt.Sprintf("set %s=%s | %s=%s: %v", name(v), state(v), name(u), state(u), r.Float64())
	case 2:
		return fmt.Sprintf("set %s: mean=%v,var=%v,%s=2", name(v), r.NormFloat64(), r.Float64(), m.Vars[u].Name)
	case 3:
		return fmt.Sprintf("set %s=%s: bias=1,%s=%v", name(v), state(v), m.Vars[u].Name, r.NormFloat64())
	case 4:
		return fmt.Sprintf("edge %s->%s", name(some()), name(v))
	case 5:
		return fmt.Sprintf("remove-edge %s->%s", name(u), name(v))
	case 6:
		return fmt.Sprintf("add new%d: %s", r.IntN(3), []string{"real", "a b c", "only"}[r.IntN(3)])
	case 7:
		return fmt.Sprintf("states %s: %s", m.Vars[v].Name, []string{"yes no maybe", "no", state(v) + "=other extra", "c a"}[r.IntN(4)])
	case 8:
		return fmt.Sprintf("edge new%d->%s", r.IntN(3), name(v))
	case 9:
		return fmt.Sprintf("rename %s=%s", m.Vars[v].Name, []string{"new0", "other", m.Vars[u].Name}[r.IntN(3)])
	}
	return "remove " + m.Vars[v].Name
}

package learn

import (
	"errors"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Every learner refuses a new trait unless it declares it.
func TestNewTrait(t *testing.T) {
	const fake = model.Traits(1 << 31)
	for i := range Learners {
		var untaken *model.Untaken
		if err := refuse(&Learners[i], []model.Need{{Trait: fake, What: "fakes", Cause: "this"}}); !errors.As(err, &untaken) {
			t.Errorf("learner %s takes data of a new trait: %v", Learners[i].Name, err)
		}
	}
}

func TestCheck(t *testing.T) {
	s, err := data.NewReal([]data.Var{{Name: "height", Real: true}}, [][]float64{{1.5}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var takers []string
	for _, l := range Learners {
		if l.Takes&model.Reals != 0 {
			takers = append(takers, l.Name)
		}
	}
	n := len(takers) - 1
	for name, want := range map[string]string{"ldfm": "", "depnet": `learner depnet takes no real variables, and "height" is one; ` + strings.Join(takers[:n], ", ") + " and " + takers[n] + " do"} {
		l, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := Check(l, &learner.Job{Train: s}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q; want %q", name, got, want)
		}
	}
}

// A learner refuses an initial model and a target with traits that it does not take.
func TestCheckModels(t *testing.T) {
	dn, forest := &model.Model{File: "x.dn", Kind: model.Dependency}, &model.Model{File: "x.json", Kind: model.Forest}
	const cycles, sums = "dependency networks, which have no joint distribution", "latent dependency forest models, the sum of whose weights is #P-hard"
	for _, x := range []struct {
		learner string
		job     learner.Job
		want    string
	}{
		{"dn2mn", learner.Job{Init: dn}, ""},
		{"ldfm", learner.Job{Init: forest}, ""},
		{"mnweights", learner.Job{Init: dn}, "x.dn: learner mnweights takes no " + cycles + ", and this is one; dn2mn does"},
		{"hillclimb", learner.Job{Init: forest}, "x.json: learner hillclimb takes no " + sums + ", and this is one; ldfm and ldfm-s do"},
		{"acopt", learner.Job{Target: dn}, "x.dn: learner acopt takes no " + cycles + ", and this is one; dn2mn does"},
	} {
		l, err := Find(x.learner)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := Check(l, &x.job); err != nil {
			got = err.Error()
		}
		if got != x.want {
			t.Errorf("%s: %q; want %q", x.learner, got, x.want)
		}
	}
}

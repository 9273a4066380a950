package acmn

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment/experimenttest"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestACMNExperiment runs the quick form twice. Models of nltcs that one second suffices to learn
// are near the published scores, and the second run learns none again.
func TestACMNExperiment(t *testing.T) {
	irtest.SkipUnlessLong(t) // learns dozens of models
	models := t.TempDir()
	run := func() (sets []*SetReport) {
		var r Result
		experimenttest.Quick(t, Run,
			experiment.Options{Models: models}, 0, &r)
		return r.Sets
	}
	sets := run()
	if len(sets) != 1 || sets[0].Set != "nltcs" || len(sets[0].Models) != len(specs) || sets[0].KL == nil {
		t.Fatalf("found %d sets; want nltcs with all models and a divergence", len(sets))
	}
	for i, s := range sets[0].Models {
		spec := specs[i]
		if s.Failed != "" || spec.pseudo != (s.LL == nil) || (spec.conditional || spec.pseudo) != (s.Given != nil) {
			t.Errorf("%+v; want numbers of %s", s, spec.name)
		}
		if s.Published != nil && s.LL != nil && !s.Stopped && math.Abs(*s.LL-*s.Published) > 0.05*math.Abs(*s.Published) {
			t.Errorf("%s: %v; published is %v", s.Model, *s.LL, *s.Published)
		}
	}
	if kl := sets[0].KL; kl.Generated < -3*kl.StdErr || kl.Generated > 1 {
		t.Errorf("a divergence of %+v", kl)
	}
	again := run()
	for i, s := range again[0].Models {
		if first := sets[0].Models[i]; s.Seconds != first.Seconds || s.LL != nil && math.Abs(*s.LL-*first.LL) > 1e-9 {
			t.Errorf("%s was learned again: %v s with %v; before %v s with %v", s.Model, s.Seconds, s.LL, first.Seconds, first.LL)
		}
	}
}

func TestACMNExperimentUnknownSet(t *testing.T) {
	a, _, _ := clitest.App()
	err := Run(t.Context(), a, &experiment.Options{Networks: []string{"none"}})
	if want := `unknown data set "none"; want some of [nltcs`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("found %v; want %s", err, want)
	}
}

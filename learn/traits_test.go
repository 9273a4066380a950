package learn

import (
	"errors"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// A new trait is refused by every learner that does not say that it takes it.
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
	for name, want := range map[string]string{"ldfm": "", "chowliu": `learner chowliu takes no real variables, and "height" is one; ldfm and ldfm-s do`} {
		l, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := Check(l, s); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q; want %q", name, got, want)
		}
	}
}

package compiler

import (
	"errors"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestNewTrait checks that a new trait is refused by every method and format that does not
// take it.
func TestNewTrait(t *testing.T) {
	const fake = model.Traits(1 << 31)
	needs := []model.Need{{Trait: fake, What: "fakes", Cause: "this"}}
	var untaken *model.Untaken
	for _, m := range Methods {
		if err := refuse(&m, needs); !errors.As(err, &untaken) {
			t.Errorf("method %s takes a model of a new trait: %v", m.Name, err)
		}
	}
	for _, f := range Formats {
		if err := format.Refuse(Formats, f, needs); !errors.As(err, &untaken) {
			t.Errorf("format %s takes a model of a new trait: %v", f.Name, err)
		}
	}
}

// TestTakers checks the methods that take a trait, as messages name them.
func TestTakers(t *testing.T) {
	for _, c := range []struct {
		m    *model.Model
		want string
	}{
		{&model.Model{Kind: model.Dependency}, "method jointree takes no dependency networks, which have no joint distribution, and this is one; meanfield and gibbs do"},
		{&model.Model{Kind: model.Forest},
			"method jointree takes no latent dependency forest models, the sum of whose weights is #P-hard, and this is one; ldfm does"},
		{&model.Model{Vars: []*model.Var{{Name: "a", Domain: model.Real{Period: 360}}}}, `method jointree takes no real variables, and "a" is one`},
	} {
		if err := refuse(&Methods[0], c.m.Needs()); err == nil || err.Error() != c.want {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
}

package options_test

import (
	"errors"
	"flag"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/options"
)

// Common is embedded, as a plug-in may do.
type Common struct{ Rounds int }

type search struct {
	Common
	Rate    float64
	Order   string
	Restart bool
	private int
}

func newSearch() *search {
	return &search{Common: Common{Rounds: 100}, Rate: .5, Order: "up", private: 7}
}

func (o *search) Bind(fs *flag.FlagSet) {
	fs.IntVar(&o.Rounds, "rounds", o.Rounds, "how many rounds")
	fs.Float64Var(&o.Rate, "rate", o.Rate, "how fast")
	fs.StringVar(&o.Order, "order", o.Order, "up or down")
}

type other struct{ *search }

func TestOf(t *testing.T) {
	zero := newSearch()
	zero.Rate = 0
	for _, c := range []struct {
		name  string
		given any
		want  search
	}{
		{"nothing", nil, search{Common{100}, .5, "up", false, 7}},
		{"a value takes defaults for zeros", search{Order: "down", Restart: true}, search{Common{100}, .5, "down", true, 0}},
		{"fields of an embedded struct count one by one", search{Common: Common{3}}, search{Common{3}, .5, "up", false, 0}},
		{"a pointer is taken as it is", zero, search{Common{100}, 0, "up", false, 7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := options.Of(c.given, newSearch())
			if err != nil || *got != c.want {
				t.Errorf("%+v, %v; want %+v", got, err, c.want)
			}
		})
	}
	if _, err := options.Of(other{}, newSearch()); err == nil {
		t.Error("options of another type are taken")
	}
	if _, err := options.Of[options.Options](&other{newSearch()}, newSearch()); err == nil {
		t.Error("a pointer to options of another type is taken")
	}
}

func TestSet(t *testing.T) {
	o := newSearch()
	if err := options.Set(o, "rate=0", "order=down"); err != nil || o.Rate != 0 || o.Order != "down" || o.Rounds != 100 {
		t.Errorf("%+v, %v", o, err)
	}
	var unknown *options.UnknownError
	if err := options.Set(o, "speed=1"); !errors.As(err, &unknown) || !slices.Equal(unknown.Known, []string{"order", "rate", "rounds"}) {
		t.Errorf("an unknown option: %v", err)
	}
	var value *options.ValueError
	if err := options.Set(o, "rounds=many"); !errors.As(err, &value) || value.Name != "rounds" {
		t.Errorf("a value that is no number: %v", err)
	}
	if got := options.Names(o); !slices.Equal(got, []string{"order", "rate", "rounds"}) {
		t.Errorf("names: %q", got)
	}
}

func TestNumbered(t *testing.T) {
	var edges, order string
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.Var(options.Numbered(&edges), "edges", "by numbers")
	fs.StringVar(&order, "order", "", "by names")
	if err := fs.Parse([]string{"-edges", "3>7"}); err != nil || edges != "3>7" {
		t.Errorf("edges %q, %v", edges, err)
	}
	if !options.IsNumbered(fs.Lookup("edges")) || options.IsNumbered(fs.Lookup("order")) {
		t.Error("want edges, and not order, to be numbered")
	}
}

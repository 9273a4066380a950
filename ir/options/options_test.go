package options_test

import (
	"errors"
	"flag"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/options"
)

// Common is embedded, as a plug-in may do.
type Common struct {
	Rounds int `opt:"rounds" default:"1_00" range:"[1,inf)" help:"how many rounds"`
}

type search struct {
	Common
	Rate    float64 `opt:"rate" default:".5" range:"(0,1]|7" wrong:"rate {rate} of {rounds} rounds; want more than 0" help:"how fast"`
	Order   string  `opt:"order" default:"up" range:"up|down|both" value:"way" help:"the way: up or down"`
	Seed    uint64  `opt:"seed" range:"[0,9]" wrong:"=rate" help:"of all draws"`
	Restart bool    `opt:"restart" help:"again"`
	Edges   string  `opt:"edges,numbered" help:"by numbers"`
	Other   int
	private int
}

type other struct{ *search }

func newSearch() *search { return options.New[search]() }

func TestNew(t *testing.T) {
	if got, want := *newSearch(), (search{Common: Common{100}, Rate: .5, Order: "up"}); got != want {
		t.Errorf("%+v; want %+v", got, want)
	}
}

func TestOf(t *testing.T) {
	zero := newSearch()
	zero.Rate, zero.private = 0, 7
	for _, c := range []struct {
		name  string
		given any
		want  search
	}{
		{"nothing", nil, search{Common: Common{100}, Rate: .5, Order: "up"}},
		{"a value takes defaults for zeros", search{Order: "down", Restart: true}, search{Common: Common{100}, Rate: .5, Order: "down", Restart: true}},
		{"fields of an embedded struct count one by one", search{Common: Common{3}}, search{Common: Common{3}, Rate: .5, Order: "up"}},
		{"a pointer is taken as it is", zero, search{Common: Common{100}, Order: "up", private: 7}},
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
	if _, err := options.Of[any](&other{newSearch()}, newSearch()); err == nil {
		t.Error("a pointer to options of another type is taken")
	}
}

func TestFlags(t *testing.T) {
	var got []string
	fs := options.Flags(newSearch())
	fs.VisitAll(func(f *flag.Flag) { got = append(got, f.Name+"="+f.DefValue+": "+f.Usage) })
	want := []string{"edges=: by numbers", "order=up: the `way`: up or down", "rate=0.5: how fast", "restart=false: again", "rounds=100: how many rounds", "seed=0: of all draws"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
	if !options.IsNumbered(fs.Lookup("edges")) || options.IsNumbered(fs.Lookup("order")) {
		t.Error("want edges, and not order, to be numbered")
	}
}

func TestSet(t *testing.T) {
	o := newSearch()
	if err := options.Set(o, "rate=0", "order=down", "edges=3>7", "restart=true"); err != nil || o.Rate != 0 || o.Order != "down" || o.Edges != "3>7" || !o.Restart || o.Rounds != 100 {
		t.Errorf("%+v, %v", o, err)
	}
	names := []string{"edges", "order", "rate", "restart", "rounds", "seed"}
	var unknown *options.UnknownError
	if err := options.Set(o, "speed=1"); !errors.As(err, &unknown) || !slices.Equal(unknown.Known, names) {
		t.Errorf("an unknown option: %v", err)
	}
	var value *options.ValueError
	if err := options.Set(o, "rounds=many"); !errors.As(err, &value) || value.Name != "rounds" {
		t.Errorf("a value that is no number: %v", err)
	}
	if got := options.Names(o); !slices.Equal(got, names) {
		t.Errorf("names: %q", got)
	}
	if got := options.Names(struct{}{}); got != nil {
		t.Errorf("names of a value: %q", got)
	}
}

func TestWrong(t *testing.T) {
	rate := func(x float64) search { return search{Common: Common{1}, Order: "up", Rate: x} }
	for _, c := range []struct {
		name string
		o    search
		want string // errors, each after its option
	}{
		{"defaults", *newSearch(), ""},
		{"a closed end", rate(1), ""},
		{"an open end", rate(0), "rate: rate 0 of 1 rounds; want more than 0"},
		{"above", rate(1.5), "rate: rate 1.5 of 1 rounds; want more than 0"},
		{"another part", rate(7), ""},
		{"infinite", rate(math.Inf(1)), "rate: rate +Inf of 1 rounds; want more than 0"},
		{"no number", rate(math.NaN()), "rate: rate NaN of 1 rounds; want more than 0"},
		{"below", search{Common: Common{-1}, Order: "up", Rate: 1}, "rounds: found rounds -1; want at least 1"},
		{"more than any run counts", search{Common: Common{2e9}, Order: "up", Rate: 1}, "rounds: found rounds 2000000000; want at most 1000000000"},
		{"an error of another option", search{Common: Common{1}, Order: "up", Rate: 1, Seed: 10}, "seed: rate 1 of 1 rounds; want more than 0"},
		{"the same error once", search{Common: Common{1}, Order: "up", Seed: 10}, "rate: rate 0 of 1 rounds; want more than 0"},
		{"a word", search{Common: Common{0}, Order: "{rate}", Rate: 1}, `rounds: found rounds 0; want at least 1, order: found order "{rate}"; want up, down or both`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, w := range options.Wrong(&c.o) {
				got = append(got, w.Name+": "+w.Error())
			}
			if got := strings.Join(got, ", "); got != c.want {
				t.Errorf("got %s; want %s", got, c.want)
			}
			if err := options.Check(&c.o); (err != nil) != (got != nil) || err != nil && !strings.HasSuffix(got[0], err.Error()) {
				t.Errorf("the first error is %v; want that of %q", err, got)
			}
		})
	}
}

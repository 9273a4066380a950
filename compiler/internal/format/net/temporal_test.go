package net_test

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/internal/format/net"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func oobn(t *testing.T, name string) *model.Model {
	t.Helper()
	m, list := format.Read([]format.Format{net.Format}, filepath.Join(irtest.Shared(t), "data/temporal2", name), "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTemporal compares posteriors of four slices with an independent elimination of the unrolled
// network.
func TestTemporal(t *testing.T) {
	ctx := context.Background()
	e, err := infer.New(ctx, oobn(t, "amidst-huginDBNFromAMIDST.oobn"), infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		given   []infer.Given
		a, b, c []float64 // of A in the first slice, B in the third and C in the fourth
	}{
		{make([]infer.Given, 4), []float64{.115, .885}, []float64{.25434266875, .10626007125, .63939726}, []float64{.221052875, .778947125}},
		{[]infer.Given{infer.Evidence{"E": "1"}, infer.Evidence{"G": "2"}, infer.Evidence{"E": "2", "D": "1"}, nil},
			[]float64{.0663938321323, .933606167868}, []float64{.320868205702, .138181667197, .540950127101}, []float64{.226243552705, .773756447295}},
	} {
		smooth, err := e.Smooth(ctx, c.given)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []struct {
			of    string
			slice int
			want  []float64
		}{{"A", 0, c.a}, {"B", 2, c.b}, {"C", 3, c.c}} {
			for s, want := range x.want {
				if got := smooth[x.slice].Of(x.of).P[s]; math.Abs(got-want) > 1e-11 {
					t.Errorf("slice %d: P(%s is %d) = %v; want %v", x.slice, x.of, s+1, got, want)
				}
			}
		}
	}
}

// TestTemporalReal compares means and variances of a node that persists beside states.
func TestTemporalReal(t *testing.T) {
	ctx := context.Background()
	e, err := infer.New(ctx, oobn(t, "rhugin-test_oobn.oobn"), infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	flat, err := infer.New(ctx, e.Model().Unroll(3), infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, d *infer.Distribution, mean, variance float64) {
		if math.Abs(d.Mean-mean) > 1e-9*(1+math.Abs(mean)) || math.Abs(d.Variance-variance) > 1e-9*(1+variance) {
			t.Errorf("%s: %v, %v; want %v, %v", what, d.Mean, d.Variance, mean, variance)
		}
	}
	for i, want := range [][2]float64{{28, 1298}, {11.2, 4709.56}, {21.28, 6731.9616}} {
		m, err := f.Step(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		near("filtered", m.Of("fan_power"), want[0], want[1])
		if i == 0 {
			near("the first clone", m.Of("T_fan_power"), 0, 1)
		}
	}
	m, err := flat.Marginals(ctx, infer.Evidence{"smell@0": "bad", "fan_power@1": -88.0})
	if err != nil {
		t.Fatal(err)
	}
	near("the clone given evidence", m.Of("T_fan_power@0"), -2./3, 2./3)
	near("the first slice given evidence", m.Of("fan_power@0"), 296./3, 2./3)
	near("the third slice given evidence", m.Of("fan_power@2"), 80.8, 1184.36)
}

// TestTemporalErrors compares messages.
func TestTemporalErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"class c { node a { states = (\"x\" \"y\"); }\ntemporal b : d { } }", `t:2:14: found "d"; want the node of the class that "b" stands for`},
		{"class c { node a { states = (\"x\" \"y\"); }\ntemporal b a { } }", `t:2:12: found "a"; want ":"`},
		{"class c { node a { states = (\"x\" \"y\"); }\ntemporal a : a { } }", `t:2:10: node "a" is declared twice; first at t:1:16`},
	} {
		_, list := format.ReadSource(net.Format, &format.Source{Name: "t", Data: []byte(c.text)}, format.ReadOptions{})
		if err := list.Err(); err == nil || err.Error() != c.want {
			t.Errorf("error %v; want %s", err, c.want)
		}
	}
}

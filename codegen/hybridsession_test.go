package codegen_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestHybridSession compares sessions of packages of random networks with real variables with
// queries from scratch, by each back-end, and checks that they do not allocate.
func TestHybridSession(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	for _, seed := range irtest.Cases(t, 4, 60) {
		mod := irtest.RandomHybrid(seed+20, irtest.HybridOptions{Decades: 3, NoDiscrete: seed%4 == 3})
		opt := compiler.Options{Queries: []string{"session", "marginals", "logprob"}, Measurements: seed%3 < 2}
		name := fmt.Sprintf("p%d", seed)
		m.add(t, name, turn(seed), mod, opt, func(r *compiler.Result) string {
			var rows, soft []string
			for k := range uint64(3) {
				mc := eval.New(r.Program, r.Model)
				rows = append(rows, fmt.Sprintf("%q", observe(mc, r.Model, irtest.HybridEvidence(10*seed+k, r.Model, 1))))
				soft = append(soft, fmt.Sprintf("%q", measure(mc, r.Model, k)))
			}
			return strings.NewReplacer("PACKAGE", name, "EVIDENCE", strings.Join(rows, ", "), "SOFT", strings.Join(soft, ", ")).Replace(hybridSessionText)
		})
	}
	m.test()
}

const hybridSessionText = `package PACKAGE

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestSession observes, measures and retracts one variable after another.
func TestSession(t *testing.T) {
	e := New()
	c := e.Session()
	var rows [3]Evidence
	var softs [3]Soft
	for i := range rows {
		if err := errors.Join(json.Unmarshal([]byte([]string{EVIDENCE}[i]), &rows[i]), json.Unmarshal([]byte([]string{SOFT}[i]), &softs[i])); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	var now Evidence
	var known Soft
	for step := range 40 {
		var one Evidence
		at := r.IntN(reflect.TypeOf(now).NumField())
		name := reflect.TypeOf(now).Field(at).Name
		row, what := r.IntN(3), r.IntN(4)
		reflect.ValueOf(&one).Elem().Field(at).Set(reflect.ValueOf(rows[row]).Field(at))
		switch part := reflect.ValueOf(&known).Elem().FieldByName(name); {
		case what == 0:
			reflect.ValueOf(&now).Elem().Field(at).SetZero()
			if part.IsValid() {
				part.SetZero()
			}
			c.Retract(&one)
		case what == 1 && part.IsValid():
			if err := c.SetSoft(&softs[row]); err != nil {
				t.Fatal(err)
			}
			for i := range reflect.TypeOf(known).NumField() {
				if x := reflect.ValueOf(softs[row]).Field(i); !x.IsZero() {
					reflect.ValueOf(&known).Elem().Field(i).Set(x)
				}
			}
		default:
			reflect.ValueOf(&now).Elem().Field(at).Set(reflect.ValueOf(one).Field(at))
			if err := c.Observe(&one); err != nil {
				t.Fatal(err)
			}
		}
		if ev, soft := c.Evidence(); ev != now || soft != known {
			t.Fatalf("step %d: the session has %v, %v; want %v, %v", step, ev, soft, now, known)
		}
		same(t, step, e, c, &now, &known)
		if step%10 == 9 {
			c.Reset()
			if err := errors.Join(c.Observe(&now), c.SetSoft(&known)); err != nil {
				t.Fatal(err)
			}
		}
	}
	var out Marginals
	if n := testing.AllocsPerRun(3, func() { _ = c.Observe(&rows[0]); _ = c.Marginals(&out); c.Retract(&rows[0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// same compares a session with queries from scratch.
func same(t *testing.T, step int, e *Engine, c *Session, ev *Evidence, soft *Soft) {
	t.Helper()
	var want, got Marginals
	wanted, err := e.Marginals(ev, soft, &want), c.Marginals(&got)
	logp, other := c.LogProb()
	if fmt.Sprint(err) != fmt.Sprint(wanted) || fmt.Sprint(other) != fmt.Sprint(wanted) {
		t.Fatalf("step %d: %v, %v; want %v", step, err, other, wanted)
	}
	if err != nil {
		return
	}
	a, b := flat(reflect.ValueOf(got), nil), flat(reflect.ValueOf(want), nil)
	for i := range b {
		if !(math.Abs(a[i]-b[i]) <= 1e-12*math.Max(1, math.Abs(b[i]))) || math.Abs(logp-want.LogP) > 1e-12*math.Max(1, math.Abs(want.LogP)) {
			t.Fatalf("step %d: %v, ln p %v; want %v", step, a, logp, b)
		}
	}
}

// flat appends the numbers of arrays and structs.
func flat(x reflect.Value, out []float64) []float64 {
	switch x.Kind() {
	case reflect.Float64:
		return append(out, x.Float())
	case reflect.Struct:
		for i := range x.NumField() {
			out = flat(x.Field(i), out)
		}
	default:
		for i := range x.Len() {
			out = flat(x.Index(i), out)
		}
	}
	return out
}
`

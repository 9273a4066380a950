package growing_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/learn/internal/growing"
)

// rule is a group of parameters. At joint states that agree with its tests, the parameter of the
// state of its variable is a factor.
type rule struct {
	of     int // the variable; -1 if there is one parameter for all states
	params []int32
	tests  []test
}

type test struct {
	v, state int
	not      bool
}

func (r *rule) holds(x []int) bool {
	for _, t := range r.tests {
		if (x[t.v] == t.state) == t.not {
			return false
		}
	}
	return true
}

// value returns the product of the parameters of all rules that hold.
func value(rules []rule, theta []float64, x []int) float64 {
	p := 1.0
	for i := range rules {
		if r := &rules[i]; r.holds(x) {
			k := 0
			if r.of >= 0 {
				k = x[r.of]
			}
			p *= theta[r.params[k]]
		}
	}
	return p
}

// next moves x to the next joint state.
func next(x, cards []int) bool {
	for i := range x {
		if x[i]++; x[i] < cards[i] {
			return true
		}
		x[i] = 0
	}
	return false
}

// TestSplits checks the circuit after each of many random splits. At all joint states it is the
// product of the parameters that apply, its derivatives equal finite differences, it is smooth,
// decomposable and deterministic, and it has grown by the predicted cost. Some splits are followed
// by Tidy.
func TestSplits(t *testing.T) {
	tidied := 0
	for _, keep := range []bool{false, true} {
		for seed := range uint64(30) {
			rng := rand.New(rand.NewPCG(seed, 1))
			cards := []int{2, 3, 2, 2, 1 + rng.IntN(2)}
			c := growing.New(cards)
			rules := marginals(cards, keep)
			p, other := c.Planner(), c.Planner()
			for i := range 12 {
				grow(t, rng, c, p, other, cards, &rules, keep)
				if before := c.Edges(); i%2 == 1 && c.Tidy() && c.Edges() < before {
					tidied++
				} else if c.Edges() > before {
					t.Fatalf("tidied, %d edges are %d", before, c.Edges())
				}
			}
			if len(rules) < 7 {
				t.Errorf("seed %d: only %d rules in the end", seed, len(rules))
			}
		}
	}
	if tidied < 30 {
		t.Errorf("a circuit was made smaller %d times; want 30 at least", tidied)
	}
}

// marginals returns the initial rules of a circuit: one for each variable, or with features, one
// for each parameter.
func marginals(cards []int, features bool) (rules []rule) {
	number := int32(0)
	for v, card := range cards {
		r := rule{of: v}
		for s := range card {
			r.params = append(r.params, number)
			if features {
				rules = append(rules, rule{-1, []int32{number}, []test{{v, s, false}}})
			}
			number++
		}
		if !features {
			rules = append(rules, r)
		}
	}
	return rules
}

// grow makes a random split and checks it.
func grow(t *testing.T, rng *rand.Rand, c *growing.Circuit, p, other *growing.Planner, cards []int, rules *[]rule, keep bool) {
	t.Helper()
	at := rng.IntN(len(*rules))
	r := (*rules)[at]
	v := rng.IntN(len(cards))
	s := growing.Split{Params: r.params, Var: v, State: rng.IntN(cards[v]), Keep: keep}
	if v == r.of || cards[v] == 1 || cyclic(*rules, v, r.of) {
		return
	}
	for _, x := range r.tests {
		if x.v == v {
			return
		}
	}
	cost, exact := other.Cost(s, math.MaxInt)
	if !exact {
		t.Fatal("a cost without limit is not exact")
	}
	if low, exact := other.Cost(s, cost-2); exact || low <= cost-2 || low > cost {
		t.Fatalf("with the limit %d, the cost is %d, exact %v; want %d or %d, not exact", cost-2, low, exact, cost-1, cost)
	}
	before := c.Edges()
	n := int32(c.Params())
	p.Apply(s)
	k := int32(len(r.params))
	yes, no := rule{of: r.of}, rule{of: r.of}
	for i := range k {
		yes.params, no.params = append(yes.params, n+i), append(no.params, n+k+i)
	}
	yes.tests = append(append([]test(nil), r.tests...), test{v, s.State, false})
	no.tests = append(append([]test(nil), r.tests...), test{v, s.State, true})
	if !keep {
		(*rules)[at] = yes
	} else {
		*rules = append(*rules, yes)
	}
	*rules = append(*rules, no)
	theta := make([]float64, c.Params())
	for i := range theta {
		theta[i] = 0.2 + rng.Float64()
	}
	if got := c.Edges() - before; got != cost {
		t.Fatalf("the cost was %d, and the circuit has grown by %d", cost, got)
	}
	check(t, c, cards, *rules, theta)
}

// cyclic reports whether a variable depends on another by the tests of the rules.
func cyclic(rules []rule, v, on int) bool {
	if on < 0 {
		return false
	}
	if v == on {
		return true
	}
	for i := range rules {
		if r := &rules[i]; r.of == v {
			for _, x := range r.tests {
				if cyclic(rules, x.v, on) {
					return true
				}
			}
		}
	}
	return false
}

func check(t *testing.T, c *growing.Circuit, cards []int, rules []rule, theta []float64) {
	t.Helper()
	d := c.Dist(theta)
	if d.Edges() != c.Edges() {
		t.Fatalf("the circuit has %d edges, and says %d", d.Edges(), c.Edges())
	}
	if n, why := d.Determinism(); why != "" {
		t.Fatalf("node %d: %s", n, why)
	}
	tape := c.Tape(nil)
	buf := make([]float64, len(d.Nodes))
	x := make([]int, len(cards))
	total := 0.0
	for {
		want := value(rules, theta, x)
		total += want
		got := d.Eval(func(axis int, s int32) float64 {
			if x[axis] == int(s) {
				return 1
			}
			return 0
		}, buf)
		if math.Abs(got-want) > 1e-12*want {
			t.Fatalf("at %v the circuit is %v; want %v", x, got, want)
		}
		if !next(x, cards) {
			break
		}
	}
	tape.All()
	if got := tape.Eval(theta); math.Abs(got-total) > 1e-12*total {
		t.Fatalf("the sum over all states is %v; want %v", got, total)
	}
	slopes(t, tape, cards, theta)
	lanes(t, c, cards, theta)
	curves(t, c, theta)
}

// lanes checks a probe: each lane excludes one state of a variable.
func lanes(t *testing.T, c *growing.Circuit, cards []int, theta []float64) {
	t.Helper()
	tape := c.Tape(nil)
	probe := tape.Probe(nil, theta)
	for lane := range growing.Lanes {
		v := lane % len(cards)
		probe.Set(lane, v, lane%cards[v], 0)
	}
	for lane, got := range probe.Eval() {
		v := lane % len(cards)
		tape.All()
		tape.Set(v, lane%cards[v], 0)
		if want := tape.Eval(theta); math.Abs(got-want) > 1e-12*want {
			t.Fatalf("lane %d is %v; want %v", lane, got, want)
		}
	}
}

// curves checks second derivatives by differences: the logarithms of all parameters change at once,
// each at its speed.
func curves(t *testing.T, c *growing.Circuit, theta []float64) {
	t.Helper()
	tape := c.Tape(nil)
	speed := make([]float64, len(theta))
	for i := range speed {
		speed[i] = math.Sin(float64(i))
	}
	const step = 1e-4
	var value [2]float64
	var slope [2][]float64
	for k, sign := range []float64{-step, step} {
		moved := make([]float64, len(theta))
		for i, x := range theta {
			moved[i] = x * math.Exp(sign*speed[i])
		}
		tape.All()
		value[k] = tape.Eval(moved)
		tape.Derive()
		for i := range theta {
			slope[k] = append(slope[k], tape.ByParam(int32(i)))
		}
	}
	tape.All()
	tape.Eval(theta)
	tape.Derive()
	got, rise := tape.Curve(theta, speed)
	near := func(what string, got, low, high float64) {
		if want := (high - low) / (2 * step); math.Abs(got-want) > 1e-5*max(1, math.Abs(want)) {
			t.Fatalf("%s changes at %v; want %v", what, got, want)
		}
	}
	near("the value", rise, value[0], value[1])
	for i := range got {
		near("a derivative", got[i], slope[0][i], slope[1][i])
	}
}

// slopes checks derivatives if the state of one variable is known: the circuit is linear in each
// parameter and indicator.
func slopes(t *testing.T, tape *growing.Tape, cards []int, theta []float64) {
	t.Helper()
	tape.All()
	tape.Set(1, 0, 0)
	tape.Set(1, 2, 0)
	was := tape.Eval(theta)
	tape.Derive()
	for i := range theta {
		got := tape.ByParam(int32(i))
		theta[i]++
		if want := tape.Eval(theta) - was; math.Abs(got-want) > 1e-10*max(1, want) {
			t.Fatalf("the derivative by parameter %d is %v; want %v", i, got, want)
		}
		theta[i]--
	}
	for s, x := range []float64{0, 1, 0} {
		got := tape.ByState(1, s)
		tape.Set(1, s, x+1)
		if want := tape.Eval(theta) - was; math.Abs(got-want) > 1e-10*max(1, want) {
			t.Fatalf("the derivative by state %d is %v; want %v", s, got, want)
		}
		tape.Set(1, s, x)
	}
}

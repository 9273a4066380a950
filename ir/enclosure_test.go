package ir

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// holds reports whether the exact number x lies in e.
func (e Enclosure) holds(x *big.Rat) bool {
	above := e.Hi > math.MaxFloat64 || new(big.Rat).SetFloat64(e.Hi).Cmp(x) >= 0
	return above && (e.Lo < -math.MaxFloat64 || new(big.Rat).SetFloat64(e.Lo).Cmp(x) <= 0)
}

// random returns a number of any size: 0, 1, subnormal, near the largest, and others.
func random(r *rand.Rand) float64 {
	switch r.IntN(8) {
	case 0:
		return float64(r.IntN(3))
	case 1:
		return math.Float64frombits(r.Uint64N(1 << 53))
	case 2:
		return math.Ldexp(1+r.Float64(), 1000+r.IntN(23))
	case 3:
		return math.Ldexp(r.Float64(), -r.IntN(1000))
	}
	return r.Float64()
}

// TestEnclosure compares operations with rational arithmetic. Where float64 has the numbers, the
// ends are at most two steps apart.
func TestEnclosure(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 1))
	exact := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	for range 5_000 {
		x, y := random(r), random(r)
		if r.IntN(3) == 0 {
			x, y = x*float64(1-2*r.IntN(2)), y*float64(1-2*r.IntN(2))
		}
		a, b := Exactly(x), Exactly(y)
		check := func(op string, got Enclosure, want *big.Rat) {
			t.Helper()
			if !got.holds(want) {
				t.Fatalf("%v %s %v is outside %v", x, op, y, got)
			}
			if got.Hi <= math.MaxFloat64 && math.Nextafter(math.Nextafter(got.Lo, math.Inf(1)), math.Inf(1)) < got.Hi {
				t.Fatalf("%v %s %v is anywhere in %v", x, op, y, got)
			}
		}
		check("+", a.Add(b), new(big.Rat).Add(exact(x), exact(y)))
		check("-", a.Add(b.Neg()), new(big.Rat).Sub(exact(x), exact(y)))
		check("*", a.Mul(b), new(big.Rat).Mul(exact(x), exact(y)))
		if y != 0 {
			check("/", a.Quot(b), new(big.Rat).Quo(exact(x), exact(y)))
		}
		z := random(r) * float64(1-2*r.IntN(2))
		wide, other := Enclosure{min(x, y), max(x, y)}, Enclosure{min(y, z), max(y, z)}
		for _, ends := range [][2]float64{{x, y}, {x, z}, {y, y}, {y, z}} {
			if !wide.Mul(other).holds(new(big.Rat).Mul(exact(ends[0]), exact(ends[1]))) {
				t.Fatalf("%v * %v is not in %v, the product of %v and %v", ends[0], ends[1], wide.Mul(other), wide, other)
			}
		}
		if x < 0 {
			continue
		}
		k := r.IntN(2200) - 1100
		power := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(k, -k))))
		if k < 0 {
			power.Inv(power)
		}
		check("scaled by", a.Power(k), power.Mul(power, exact(x)))
	}
	if found := (Enclosure{0, 1}).Div(Enclosure{0, 1}); found != (Enclosure{0, math.Inf(1)}) {
		t.Errorf("[0,1]/[0,1] is %v", found)
	}
	if found := Exactly(1).Off(math.NaN()); !math.IsInf(found, 1) {
		t.Errorf("a number that is none is off by %v", found)
	}
}

// TestEnclosureLog has logarithms to 25 digits, from the series of ln 2, ln 3 and ln 10.
func TestEnclosureLog(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{1, "0"},
		{2, "0.6931471805599453094172321"},
		{3, "1.0986122886681096913952452"},
		{10, "2.3025850929940456840179915"},
		{0.5, "-0.6931471805599453094172321"},
		{0x1p-1074, "-744.4400719213812623141073"},
		{1024, "6.9314718055994530941723212"},
		{0x3p-1, "0.4054651081081643819780131"},
	} {
		want, _ := new(big.Rat).SetString(c.want)
		got := Exactly(c.x).Log()
		if !got.holds(want) || got.Hi-got.Lo > 1e-15*math.Max(1, math.Abs(got.Hi)) {
			t.Errorf("ln %v is in %v; want %s", c.x, got, c.want)
		}
	}
	if got := (Enclosure{0, 1}).Log(); !math.IsInf(got.Lo, -1) || got.Hi != 0 {
		t.Errorf("ln [0,1] is %v", got)
	}
}

// TestEnclosureExp has powers of e to 25 digits.
func TestEnclosureExp(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "1"},
		{1, "2.718281828459045235360287"},
		{-1, "0.3678794411714423215955238"},
		{-.25, "0.7788007830714048682451702"},
		{20, "485165195.4097902779691068305"},
		{-700, "9.859676543759770856705372e-305"},
		{-745, "2.822350730471937076353440e-324"},
	} {
		want, _ := new(big.Rat).SetString(c.want)
		got := Exactly(c.x).Exp()
		if !got.holds(want) || got.Hi-got.Lo > 4e-15*got.Hi+3*math.SmallestNonzeroFloat64 {
			t.Errorf("e^%v is in %v; want %s", c.x, got, c.want)
		}
	}
	if got := Exactly(-900).Exp(); got.Lo != 0 || got.Hi > 1e-300 {
		t.Errorf("e^-900 is in %v", got)
	}
}

// TestEncloseCircuits compares random circuits with rational arithmetic.
func TestEncloseCircuits(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := &Sums{In: []SpanID{0}, Out: []SpanID{1, 2}, First: []int32{0}, Max: seed%4 == 0}
		p := &Program{Spans: []Span{{Role: RoleConst, Len: 6}, {Role: RoleTemp, Len: 8}, {Role: RoleOut, Len: 12}}, Blocks: []Block{{Steps: []Step{s}}}}
		var exact []*big.Rat
		for range 6 {
			x := random(r)
			p.Spans[0].Data = append(p.Spans[0].Data, x)
			exact = append(exact, new(big.Rat).SetFloat64(x))
		}
		for len(exact) < 26 {
			node, single := new(big.Rat), r.IntN(4) == 0
			for range 1 + r.IntN(4) {
				term := [2]int32{r.Int32N(int32(len(exact))), -1}
				x := new(big.Rat).Set(exact[term[0]])
				if !single {
					term[1] = r.Int32N(int32(len(exact)))
					x.Mul(x, exact[term[1]])
				}
				s.Terms = append(s.Terms, term)
				if s.Max && x.Cmp(node) > 0 {
					node = x
				} else if !s.Max {
					node.Add(node, x)
				}
			}
			s.Set, s.First = append(s.Set, int32(len(exact))), append(s.First, int32(len(s.Terms)))
			exact = append(exact, node)
		}
		m, err := Enclose(p, []int{0}, nil, []SpanID{1, 2}, func() bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range slices.Concat(m.Span(1), m.Span(2)) {
			if !e.holds(exact[6+i]) {
				x, _ := exact[6+i].Float64()
				t.Errorf("seed %d: node %d is %v, outside %v", seed, i, x, e)
			}
		}
	}
}

// TestEnclose runs each step that can be enclosed on small numbers.
func TestEnclose(t *testing.T) {
	p, err := Parse(strings.NewReader(`program "" const logz 0 softbits 0 work 0 data 0 ints 0 state -
span s0 f64 const 6 var -1 at -1 "table" 0.25 0.5 0 1 0 14
span s1 f64 in 2 var 1 at -1 "input"
span s2 f64 temp 3 var -1 at -1 "result"
span s3 f64 temp 1 var -1 at -1 "reciprocal"
span s4 i32 temp 1 var -1 at -1 "exponent"
span s5 f64 temp 3 var -1 at -1 "largest"
span s6 f64 temp 1 var -1 at -1 "sum"
block ""
zero s4
sum [v0:3 v1:2*] s2(1 0) = s0(2 1) s1(0 1)
max [v0:3 v1:2*] s5(1 0) = s0(2 1) s1(0 1)
rescale s5 s4
sum [v0:3*] s6(0) = s2(1)
invert s3 = s6
normalize s2
`))
	if err != nil {
		t.Fatal(err)
	}
	input := func(*Span) []Enclosure { return []Enclosure{Exactly(1), Exactly(.5)} }
	m, err := Enclose(p, []int{0}, input, []SpanID{2, 3, 4, 5}, func() bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(m.Span(2), m.Span(3), m.Span(5), m.Ints(4)),
		"[{0.0625 0.0625} {0.0625 0.0625} {0.875 0.875}] [{0.125 0.125}] [{0.0625 0.0625} {0.125 0.125} {1.75 1.75}] [2]"; got != want {
		t.Errorf("found %s; want %s", got, want)
	}
}

// TestNotEnclosed has the steps that interval arithmetic covers, and one that uses a state.
func TestNotEnclosed(t *testing.T) {
	p, steps := allSteps(t)
	var covered []string
	for _, step := range steps {
		p.Blocks[0].Steps = []Step{step}
		word, _, _ := strings.Cut(step.String(), " ")
		if _, ok := step.(encloser); ok {
			covered = append(covered, word)
			continue
		}
		_, err := Enclose(p, []int{0}, nil, nil, nil)
		if want := fmt.Sprintf("interval arithmetic does not cover step %q", word); err == nil || err.Error() != want {
			t.Errorf("found %v; want %s", err, want)
		}
	}
	if got, want := strings.Join(covered, " "), "product sum max sums maxima normalize invert rescale rescale zero map antilog"; got != want {
		t.Errorf("interval arithmetic covers %s; want %s", got, want)
	}
	p.Blocks[0].Steps = steps[:1] // a product with a fixed axis
	if _, err := Enclose(p, []int{0}, nil, nil, nil); err == nil {
		t.Error("a step that uses a state runs in interval arithmetic")
	}
}

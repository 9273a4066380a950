package gpb_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// thermostat is a room with temperature T, which the heater A warms. A is a softmax function of T,
// Y measures T, and H, the power that is measured, depends on A.
type thermostat struct {
	*model.Model
	states     int
	bias, coef []float64 // of A, by state
	heat, keep []float64 // of T by the state of A before: heat + keep T
	noise      float64
	sensor     float64
	power      []float64 // of H, by state
}

func newThermostat(seed uint64) *thermostat {
	r := rand.New(rand.NewPCG(seed, 14))
	x := &thermostat{Model: &model.Model{Name: "thermostat"}, states: 2 + r.IntN(2), noise: .2 + .3*r.Float64(), sensor: .3 + r.Float64()}
	names := []string{"off", "on", "high"}[:x.states]
	t, a, y, h := x.NewReal("T").ID, x.NewVar("A", names...).ID, x.NewReal("Y").ID, x.NewReal("H").ID
	for k := range x.states {
		slope := -float64(k) * (.5 + r.Float64())
		x.coef, x.bias = append(x.coef, slope), append(x.bias, -slope*(18+3*r.Float64()))
		x.keep = append(x.keep, .85+.1*r.Float64())
		x.heat, x.power = append(x.heat, 19*(1-x.keep[k])+float64(k)+r.Float64()-1), append(x.power, 2*float64(k))
	}
	gaussian := func(mean, coef []float64, variance float64, scope ...model.VarID) *model.Factor {
		d := &model.Gaussian{Mean: mean, Coef: coef}
		for range mean {
			d.Var = append(d.Var, variance)
		}
		return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: d}
	}
	slice := []*model.Factor{
		{Scope: []model.VarID{t, a}, Child: 1, Dist: &model.Softmax{Bias: x.bias, Coef: x.coef}},
		gaussian([]float64{0}, []float64{1}, x.sensor, t, y), gaussian(x.power, nil, 1, a, h)}
	x.Factors = append([]*model.Factor{gaussian([]float64{19}, nil, 2, t)}, slice...)
	x.Transition = &model.Transition{Before: []model.VarID{t, a}, Factors: append([]*model.Factor{gaussian(x.heat, x.keep, x.noise, 5, 4, t)}, slice...)}
	return x
}

// grid is an exact belief about T and A up to the width of its cells.
type grid struct {
	p   [][]float64 // by state and cell; nil before slice 0
	log float64
}

const (
	cells     = 600
	cellWidth = .04
)

func temperature(i int) float64 { return 7 + cellWidth*float64(i) }

func density(x, mean, variance float64) float64 {
	return math.Exp(-(x-mean)*(x-mean)/(2*variance)) / math.Sqrt(2*math.Pi*variance)
}

// predict returns the density of T in each cell after a belief, which is nil before slice 0.
func (x *thermostat) predict(p [][]float64) []float64 {
	next := make([]float64, cells)
	for j := range next {
		if p == nil {
			next[j] = density(temperature(j), 19, 2)
			continue
		}
		for k := range x.states {
			for i, p := range p[k] {
				next[j] += p * density(temperature(j), x.heat[k]+x.keep[k]*temperature(i), x.noise)
			}
		}
	}
	return next
}

// seen returns the density of state k of A and of the evidence, given T.
func (x *thermostat) seen(k int, t, y, h float64, a int) float64 {
	sum := 0.0
	for s := range x.states {
		sum += math.Exp(x.bias[s] + x.coef[s]*t - x.bias[k] - x.coef[k]*t)
	}
	p := 1 / sum
	if !math.IsNaN(y) {
		p *= density(y, t, x.sensor)
	}
	if !math.IsNaN(h) {
		p *= density(h, x.power[k], 1)
	}
	if a >= 0 && a != k {
		p = 0
	}
	return p
}

// step enters values of Y and H, NaN for none, and a state of A, -1 for none.
func (g *grid) step(x *thermostat, y, h float64, a int) {
	next := x.predict(g.p)
	g.p = make([][]float64, x.states)
	total := 0.0
	for k := range x.states {
		g.p[k] = make([]float64, cells)
		for j := range next {
			p := next[j] * cellWidth * x.seen(k, temperature(j), y, h, a)
			g.p[k][j] = p
			total += p
		}
	}
	g.log += math.Log(total)
	for k := range g.p {
		for j := range g.p[k] {
			g.p[k][j] /= total
		}
	}
}

// answers returns P(A), and the mean and variance of T.
func (g *grid) answers() (p []float64, mean, variance float64) {
	for k := range g.p {
		sum := 0.0
		for j, q := range g.p[k] {
			sum += q
			mean += q * temperature(j)
			variance += q * temperature(j) * temperature(j)
		}
		p = append(p, sum)
	}
	return p, mean, variance - mean*mean
}

// TestThermostats compares filters of networks with softmax children with a grid. Slice 0 has one
// softmax function, and is exact up to the rule of integration. Later the filters have one Gaussian
// for all states, or one for each.
func TestThermostats(t *testing.T) {
	ctx := context.Background()
	sums, later := map[string]float64{}, 0
	for _, seed := range irtest.Cases(t, 3, 20) {
		x := newThermostat(seed)
		for _, by := range []string{"gpb1", "gpb2", "imm"} {
			e, err := infer.New(ctx, x.Model, infer.Options{Method: compiler.Named(by)})
			if err != nil {
				t.Fatal(err)
			}
			f, err := e.Filter(ctx)
			if err != nil {
				t.Fatal(err)
			}
			r, g := rand.New(rand.NewPCG(seed, 15)), &grid{}
			for s := range 6 {
				y, h, a := math.NaN(), math.NaN(), -1
				given := infer.Evidence{}
				if r.IntN(4) > 0 {
					y = 18 + 3*r.Float64()
					given["Y"] = y
				}
				if r.IntN(3) == 0 {
					h = 3 * r.Float64()
					given["H"] = h
				} else if r.IntN(3) == 0 {
					a = r.IntN(x.states)
					given["A"] = x.States(1)[a]
				}
				g.step(x, y, h, a)
				m, err := f.Step(ctx, given)
				if err != nil {
					t.Fatal(err)
				}
				p, mean, variance := g.answers()
				off := max(math.Abs(m.Of("T").Mean-mean), math.Abs(m.Of("T").Variance-variance))
				for k := range p {
					off = max(off, math.Abs(m.Of("A").P[k]-p[k]))
				}
				off = max(off, math.Abs(m.LogProb-g.log))
				switch {
				case s == 0 && !(off <= 1e-4), by != "gpb1" && !(off <= .15):
					t.Errorf("seed %d, %s, slice %d: off by %v", seed, by, s, off)
				case s > 0:
					sums[by] += off
					later++
				}
			}
		}
	}
	for by, most := range map[string]float64{"gpb1": .4, "gpb2": .02, "imm": .02} {
		if mean := 3 * sums[by] / float64(later); !(mean <= most) {
			t.Errorf("%s: off by %v on average over slices after slice 0; want at most %v", by, mean, most)
		}
	}
}

// TestThermostatSmoothed compares the smoothed slice 0 of two with a grid. The heater is known in
// slice 0, so that the smoother of Kim leaves nothing out but the shape of densities.
func TestThermostatSmoothed(t *testing.T) {
	for _, seed := range irtest.Cases(t, 2, 20) {
		x, none := newThermostat(seed), math.NaN()
		g, want := &grid{}, &grid{}
		g.step(x, 18.5, none, 1)
		later := make([]float64, cells)
		for j := range later {
			for k := range x.states {
				later[j] += x.seen(k, temperature(j), 20, 1.5, -1)
			}
		}
		total := 0.0
		for k := range x.states {
			want.p = append(want.p, make([]float64, cells))
			for i, p := range g.p[k] {
				for j, l := range later {
					want.p[k][i] += p * l * density(temperature(j), x.heat[k]+x.keep[k]*temperature(i), x.noise)
				}
				total += want.p[k][i]
			}
		}
		for k := range want.p {
			for i := range want.p[k] {
				want.p[k][i] /= total
			}
		}
		p, mean, variance := want.answers()
		for _, by := range []string{"gpb2", "imm"} {
			list := smooth(t, x.Model, by, []infer.Given{infer.Evidence{"Y": 18.5, "A": "on"}, infer.Evidence{"Y": 20., "H": 1.5}})
			near(t, by+": mean of T", list[0].Of("T").Mean, mean, .02)
			near(t, by+": variance of T", list[0].Of("T").Variance, variance, .03)
			for k := range p {
				near(t, by+": P(A)", list[0].Of("A").P[k], p[k], .02)
			}
		}
	}
}

// TestCopiedTemperature checks softmax functions of moments that are held as factors of
// covariances: a copy of T without noise changes nothing.
func TestCopiedTemperature(t *testing.T) {
	x := newThermostat(2)
	copied := newThermostat(2)
	z := copied.NewReal("Z").ID
	for i, v := range copied.Transition.Factors[0].Scope {
		if v >= z { // a variable of the slice before
			copied.Transition.Factors[0].Scope[i]++
		}
	}
	same := &model.Factor{Scope: []model.VarID{0, z}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{0}}}
	copied.Factors, copied.Transition.Factors = append(copied.Factors, same), append(copied.Transition.Factors, same)
	sequence := []infer.Given{nil, infer.Evidence{"Y": 19.}, infer.Evidence{"H": 2.}, infer.Evidence{"A": "on", "Y": 20.}}
	for _, by := range []string{"gpb1", "gpb2", "imm"} {
		got, want := filter(t, copied.Model, by, sequence), filter(t, x.Model, by, sequence)
		for s := range got {
			near(t, by+": mean of T", got[s].Of("T").Mean, want[s].Of("T").Mean, 1e-9)
			near(t, by+": mean of Z", got[s].Of("Z").Mean, want[s].Of("T").Mean, 1e-9)
			near(t, by+": variance of Z", got[s].Of("Z").Variance, want[s].Of("T").Variance, 1e-9)
			near(t, by+": P(A)", got[s].Of("A").P[0], want[s].Of("A").P[0], 1e-9)
			near(t, by+": ln P", got[s].LogProb, want[s].LogProb, 1e-9)
		}
	}
}

// TestSoftmaxParents compares slice 0 of networks with softmax functions of two hidden real
// variables, a given one and a discrete one with sums over a fine grid: with two to four states, so
// that differences of scores are integrated, or the real variables. A second function makes the
// answer approximate.
func TestSoftmaxParents(t *testing.T) {
	for _, seed := range irtest.Cases(t, 6, 30) {
		r := rand.New(rand.NewPCG(seed, 16))
		states, second := 2+int(seed%3), seed%2 == 1
		m := &model.Model{Name: "parents"}
		g, b, u, v, w := m.NewReal("g").ID, m.NewVar("b", "0", "1").ID, m.NewReal("u").ID, m.NewReal("v").ID, m.NewReal("w").ID
		m.Vars[g].Given = true
		soft := func(name string, card int, scope ...model.VarID) (*model.Factor, *model.Softmax) {
			a := m.NewVar(name, []string{"0", "1", "2", "3"}[:card]...).ID
			d := &model.Softmax{}
			for range 2 * card {
				d.Bias = append(d.Bias, r.NormFloat64())
				for range len(scope) - 1 {
					d.Coef = append(d.Coef, r.NormFloat64())
				}
			}
			return &model.Factor{Scope: append(scope, a), Child: len(scope), Dist: d}, d
		}
		one, first := soft("a", states, b, u, g, v)
		m.Factors = []*model.Factor{{Scope: []model.VarID{b}, Dist: &model.Table{Values: []float64{.4, .6}}},
			{Scope: []model.VarID{b, u}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0, .5}, Var: []float64{1, .6}}},
			{Scope: []model.VarID{u, v}, Child: 1, Dist: &model.Gaussian{Mean: []float64{.2}, Coef: []float64{-.7}, Var: []float64{.8}}},
			{Scope: []model.VarID{u, v, w}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1, 1}, Var: []float64{2}}}, one}
		other := first
		if second {
			var two *model.Factor
			two, other = soft("c", 2, b, v)
			m.Factors = append(m.Factors, two)
		}
		m.Transition = &model.Transition{Before: []model.VarID{b, u}, Factors: m.Factors}
		given := infer.Evidence{"g": .8, "w": 1.1}
		if second {
			given["c"] = "1"
		}
		got := filter(t, m, "gpb2", []infer.Given{given})[0]
		var total, mean, square float64
		p, logs, last := make([]float64, states), make([]float64, states), make([]float64, 2)
		for k, weight := range []float64{.4, .6} {
			for i := -200; i <= 200; i++ {
				for j := -200; j <= 200; j++ {
					x, y := .03*float64(i), .03*float64(j)
					d := weight * .03 * .03 * density(x, .5*float64(k), 1-.4*float64(k)) * density(y, .2-.7*x, .8) * density(1.1, x+y, 2)
					if second {
						other.Logs(k, []float64{y}, last)
						d *= math.Exp(last[1])
					}
					first.Logs(k, []float64{x, .8, y}, logs)
					for s, l := range logs {
						p[s] += d * math.Exp(l)
					}
					total, mean, square = total+d, mean+d*x, square+d*x*x
				}
			}
		}
		tolerance := 2e-4
		if second {
			tolerance = .05
		}
		near(t, "ln P", got.LogProb, math.Log(total), tolerance)
		near(t, "mean of u", got.Of("u").Mean, mean/total, tolerance)
		near(t, "variance of u", got.Of("u").Variance, square/total-mean*mean/total/total, tolerance)
		for s := range p {
			near(t, "P(a)", got.Of("a").P[s], p[s]/total, tolerance)
		}
	}
}

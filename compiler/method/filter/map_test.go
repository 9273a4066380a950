package filter_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir/model"
)

// hall returns the distance to the nearest wall or pillar at the points of a floor of 8 by 5
// metres, and the height of the floor, which rises in one corner.
func hall() (distance, height *model.Map) {
	const cell = .5
	distance = &model.Map{Name: "hall", X: -4, Y: -1, Cell: cell, Columns: 17}
	height = &model.Map{Name: "height", X: -4, Y: -1, Cell: 1, Columns: 9}
	for j := range 11 {
		for i := range distance.Columns {
			x, y := distance.X+cell*float64(i), distance.Y+cell*float64(j)
			d := min(x+4, 4-x, y+1, 4-y, math.Max(0, math.Hypot(x-1, y-1)-.5), math.Max(0, math.Hypot(x+2, y-2)-.7))
			distance.Values = append(distance.Values, math.Round(100*d)/100)
		}
	}
	for j := range 6 {
		for i := range height.Columns {
			height.Values = append(height.Values, math.Max(0, float64(i-4)*.3)*float64(j)*.2)
		}
	}
	return distance, height
}

// bilinear is the interpolation of a map, by the four values around a point.
func bilinear(t *model.Map, x, y float64) (sum float64) {
	rows := len(t.Values) / t.Columns
	u := math.Min(math.Max((x-t.X)/t.Cell, 0), float64(t.Columns-1))
	v := math.Min(math.Max((y-t.Y)/t.Cell, 0), float64(rows-1))
	i, j := min(int(u), t.Columns-2), min(int(v), rows-2)
	for k := range 4 {
		a, b := i+k%2, j+k/2
		sum += (1 - math.Abs(u-float64(a))) * (1 - math.Abs(v-float64(b))) * t.Values[b*t.Columns+a]
	}
	return sum
}

// robot returns a robot that moves by (.5, .2) a slice in the hall, and measures the distance to
// the nearest obstacle and its height.
func robot(t *testing.T, prior, noise float64) *model.Model {
	t.Helper()
	m := &model.Model{Name: "robot"}
	x, y, d, h := m.NewReal("x").ID, m.NewReal("y").ID, m.NewReal("d").ID, m.NewReal("h").ID
	distance, height := hall()
	sensor := func(child model.VarID, text string) *model.Factor {
		f := &model.Factor{Scope: []model.VarID{x, y, child}, Child: 2}
		names := m.ScopeNames(f)
		names.Maps = []*model.Map{distance, height}
		nodes, err := model.ParseFunc(text, names)
		if err != nil {
			t.Fatal(err)
		}
		f.Dist = &model.Func{Nodes: nodes, Var: []float64{noise}}
		return f
	}
	start := func(v model.VarID, mean float64) *model.Factor {
		return &model.Factor{Scope: []model.VarID{v}, Dist: &model.Gaussian{Mean: []float64{mean}, Var: []float64{prior}}}
	}
	step := func(from, to model.VarID, mean float64) *model.Factor {
		return &model.Factor{Scope: []model.VarID{from, to}, Child: 1, Dist: &model.Gaussian{Mean: []float64{mean}, Coef: []float64{1}, Var: []float64{.02}}}
	}
	far, high := sensor(d, "hall(x, y)"), sensor(h, "2*height(x, y + 0.1)")
	m.Factors = []*model.Factor{start(x, -2.8), start(y, .2), far, high}
	m.Transition = &model.Transition{Before: []model.VarID{x, y}, Factors: []*model.Factor{step(4, x, .5), step(5, y, .2), far, high}}
	return m
}

// robotGrid filters on a grid of positions. It returns the means and variances of x and y,
// and ln P.
func robotGrid(prior, noise float64, seen [][2]float64) (out [][5]float64) {
	const g, x0, y0, nx, ny = .06, -5.2, -1.9, 170, 110
	distance, height := hall()
	p, q := make([]float64, nx*ny), make([]float64, nx*ny)
	at := func(i int) (x, y float64) { return x0 + g*float64(i/ny), y0 + g*float64(i%ny) }
	scale := func() (sum float64) {
		for _, w := range p {
			sum += w
		}
		for i := range p {
			p[i] /= sum
		}
		return sum
	}
	for i := range p {
		x, y := at(i)
		p[i] = math.Exp(-((x+2.8)*(x+2.8) + (y-.2)*(y-.2)) / (2 * prior))
	}
	scale()
	kernel := func(off float64) float64 { return math.Exp(-off * off / (2 * .02)) }
	logp := 0.0
	for s, z := range seen {
		if s > 0 {
			for i := range q {
				q[i] = 0
				for k := max(0, i/ny-21); k < min(nx, i/ny+5); k++ {
					q[i] += p[k*ny+i%ny] * kernel(g*float64(i/ny-k)-.5)
				}
			}
			for i := range p {
				p[i] = 0
				for k := max(0, i%ny-16); k < min(ny, i%ny+10); k++ {
					p[i] += q[i/ny*ny+k] * kernel(g*float64(i%ny-k)-.2)
				}
			}
			scale()
		}
		for i := range p {
			x, y := at(i)
			far, high := z[0]-bilinear(distance, x, y), z[1]-2*bilinear(height, x, y+.1)
			p[i] *= math.Exp(-(far*far+high*high)/(2*noise)) / (2 * math.Pi * noise)
		}
		logp += math.Log(scale())
		var a [5]float64
		for i, w := range p {
			x, y := at(i)
			a[0], a[1], a[2], a[3] = a[0]+w*x, a[1]+w*x*x, a[2]+w*y, a[3]+w*y*y
		}
		a[1], a[3], a[4] = a[1]-a[0]*a[0], a[3]-a[2]*a[2], logp
		out = append(out, a)
	}
	return out
}

// TestMonteCarloLocalisation compares a robot's position in the hall by particles with a grid, from
// a prior that leaves half of the hall; and by filters with one normal distribution from a narrow
// prior.
func TestMonteCarloLocalisation(t *testing.T) {
	distance, height := hall()
	var seen [][2]float64
	var list []infer.Given
	for s := range 9 {
		x, y := -2.6+.5*float64(s)+.1*math.Sin(float64(s)), .3+.2*float64(s)
		z := [2]float64{bilinear(distance, x, y) + .03*math.Cos(5*float64(s)), 2*bilinear(height, x, y+.1) + .03*math.Sin(3*float64(s))}
		seen, list = append(seen, z), append(list, infer.Evidence{"d": z[0], "h": z[1]})
	}
	want := robotGrid(.6, .01, seen)
	for name, by := range map[string]*particle.Options{"particles": {Particles: 40000, Proposal: "bootstrap"}, "particles, ekf": {Particles: 20000, Proposal: "ekf"}} {
		by.Resampling, by.Enough, by.Paths, by.Seed = "systematic", .5, 1, 1
		for i, got := range filtered(t, robot(t, .6, .01), by, list) {
			what := fmt.Sprintf("%s, slice %d: ", name, i)
			near(t, what+"x", got.Of("x").Mean, want[i][0], .01)
			near(t, what+"variance of x", got.Of("x").Variance, want[i][1], .01)
			near(t, what+"y", got.Of("y").Mean, want[i][2], .01)
			near(t, what+"variance of y", got.Of("y").Variance, want[i][3], .01)
			near(t, what+"ln P", got.LogProb, want[i][4], .03)
		}
	}
	want = robotGrid(.01, .04, seen)
	for name, by := range nonlinear {
		for i, got := range filtered(t, robot(t, .01, .04), by, list) {
			what := fmt.Sprintf("%s, slice %d: ", name, i)
			near(t, what+"x", (got.Of("x").Mean-want[i][0])/math.Sqrt(want[i][1]), 0, .4)
			near(t, what+"y", (got.Of("y").Mean-want[i][2])/math.Sqrt(want[i][3]), 0, .4)
			near(t, what+"ln P", got.LogProb, want[i][4], .15)
		}
	}
}

// TestMap compares the values of a map with bilinear, in the model and by ekf, and its slopes with
// differences.
func TestMap(t *testing.T) {
	distance, _ := hall()
	for k := range 200 {
		x, y := -5+10*math.Mod(float64(k)*.6180339, 1), -2+7*math.Mod(float64(k)*.4142135, 1)
		if got, want := distance.At(x, y), bilinear(distance, x, y); math.Abs(got-want) > 1e-14 {
			t.Errorf("hall(%v, %v) = %v; want %v", x, y, got, want)
		}
		m := robot(t, 1e-6, 1e-4)
		m.Factors[0].Dist.(*model.Gaussian).Mean[0], m.Factors[1].Dist.(*model.Gaussian).Mean[0] = x, y
		if k%20 > 0 {
			continue
		}
		got := filtered(t, m, filter.EKFOptions{}, []infer.Given{nil})[0].Of("d")
		near(t, "mean", got.Mean, bilinear(distance, x, y), 1e-13)
		const step = 1e-7
		right := (bilinear(distance, x+step, y) - bilinear(distance, x-step, y)) / (2 * step)
		up := (bilinear(distance, x, y+step) - bilinear(distance, x, y-step)) / (2 * step)
		near(t, fmt.Sprint("variance at ", x, ", ", y), 1e6*(got.Variance-1e-4), right*right+up*up, 1e-5)
	}
	for _, one := range []*model.Map{{Name: "dot", Cell: 2, Columns: 1, Values: []float64{3}}, {Name: "column", Cell: 2, Columns: 1, Values: []float64{3, 5}}} {
		if a, b := one.At(-7, 1), one.At(math.NaN(), 0); a != one.Values[0]+float64(len(one.Values)-1) || len(one.Values) > 1 && a != 4 || !math.IsNaN(b) {
			t.Errorf("%s: %v, %v", one.Name, a, b)
		}
	}
}

// TestMapRefused checks maps that are none.
func TestMapRefused(t *testing.T) {
	for _, c := range []struct {
		change func(t *model.Map)
		want   string
	}{
		{func(t *model.Map) { t.Columns = 0 }, `with the map "hall" of 187 numbers in rows of 0; want whole rows`},
		{func(t *model.Map) { t.Values = t.Values[1:] }, `of 186 numbers in rows of 17; want whole rows`},
		{func(t *model.Map) { t.Values = nil }, `of 0 numbers`},
		{func(t *model.Map) { t.Values[3] = math.Inf(1) }, `with the number +Inf`},
		{func(t *model.Map) { t.Cell = 0 }, `cells of 0; want numbers, and a size above 0`},
		{func(t *model.Map) { t.X = math.NaN() }, `with the origin NaN, -1`},
		{func(t *model.Map) { t.Values = make([]float64, 17*1000) }, `of 17000 numbers; want at most 16384`},
	} {
		m := robot(t, 1, 1)
		c.change(m.Maps()[0])
		if _, err := infer.New(t.Context(), m, infer.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %s", err, c.want)
		}
	}
}

package filter_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir/model"
)

// bearing returns a target that begins at (x, y), moves by (0, dy) a slice and is seen from the
// origin by its bearing, of the given period and variance.
func bearing(t *testing.T, x, y, dy, period, noise float64) *model.Model {
	m := &model.Model{Name: "bearing"}
	vx, vy, b := m.NewReal("x").ID, m.NewReal("y").ID, m.NewReal("b").ID
	m.Vars[b].Domain = model.Real{Period: period}
	seen := function(t, m, &model.Factor{Scope: []model.VarID{vx, vy, b}, Child: 2}, fmt.Sprintf("atan2(y, x) * %v", period/(2*math.Pi)), noise)
	start := func(v model.VarID, mean float64) *model.Factor {
		return &model.Factor{Scope: []model.VarID{v}, Dist: &model.Gaussian{Mean: []float64{mean}, Var: []float64{.04}}}
	}
	step := func(from, to model.VarID, mean float64) *model.Factor {
		return &model.Factor{Scope: []model.VarID{from, to}, Child: 1, Dist: &model.Gaussian{Mean: []float64{mean}, Coef: []float64{1}, Var: []float64{.02}}}
	}
	m.Factors = []*model.Factor{start(vx, x), start(vy, y), seen}
	m.Transition = &model.Transition{Before: []model.VarID{vx, vy}, Factors: []*model.Factor{step(3, vx, 0), step(4, vy, dy), seen}}
	return m
}

// bearings is a target that passes the cut at ±π, with a slice without evidence at the cut.
var bearings = []float64{3.05, 3.09163, 3.11660, math.NaN(), -3.11660, -3.09163, -3.06673}

func givenBearings(shift, unit float64) (list []infer.Given) {
	for _, b := range bearings {
		e := infer.Evidence{}
		if !math.IsNaN(b) {
			e["b"] = unit * (b + shift)
		}
		list = append(list, e)
	}
	return list
}

// TestCircularRotated checks that the answers about a target that passes ±π are those about the
// same target behind the observer, rotated by π; and the same in degrees.
func TestCircularRotated(t *testing.T) {
	const degrees = 180 / math.Pi
	front, behind := bearing(t, 3, -.5, .2, 2*math.Pi, .001), bearing(t, -3, .5, -.2, 2*math.Pi, .001)
	by360 := bearing(t, -3, .5, -.2, 360, .001*degrees*degrees)
	for name, by := range nonlinear {
		for _, answers := range []func(m *model.Model, list []infer.Given) []*infer.Marginals{
			func(m *model.Model, list []infer.Given) []*infer.Marginals { return filtered(t, m, by, list) },
			func(m *model.Model, list []infer.Given) []*infer.Marginals { return smoothed(t, m, by, list) },
		} {
			want := answers(front, givenBearings(math.Pi, 1))
			turned, inDegrees := answers(behind, givenBearings(0, 1)), answers(by360, givenBearings(0, degrees))
			for i := range want {
				seen := 0.0 // the number of bearings so far
				for _, b := range bearings[:i+1] {
					if !math.IsNaN(b) {
						seen++
					}
				}
				if len(want) > 0 && want[0].LogProb == want[1].LogProb { // smoothed: of all
					seen = float64(len(bearings) - 1)
				}
				what := fmt.Sprintf("%s, slice %d: ", name, i)
				for k, got := range []*infer.Marginals{turned[i], inDegrees[i]} {
					unit := []float64{1, degrees}[k]
					for _, v := range []string{"x", "y"} {
						near(t, what+v, -got.Of(v).Mean, want[i].Of(v).Mean, 1e-11)
						near(t, what+v, got.Of(v).Variance, want[i].Of(v).Variance, 1e-11)
					}
					off := math.Remainder(got.Of("b").Mean/unit-math.Pi-want[i].Of("b").Mean, 2*math.Pi)
					near(t, what+"b", off, 0, 1e-11)
					if math.Abs(got.Of("b").Mean) > unit*math.Pi {
						t.Errorf("%smean of b %v", what, got.Of("b").Mean)
					}
					near(t, what+"variance of b", got.Of("b").Variance/(unit*unit), want[i].Of("b").Variance, 1e-10)
					near(t, what+"ln P", got.LogProb+float64(k)*seen*math.Log(degrees), want[i].LogProb, 1e-10)
				}
			}
		}
	}
}

// bearingGrid filters the target behind the observer on a grid of positions, with wrapped normal
// densities of bearings. It returns the means and variances of x and y, and ln P.
func bearingGrid(noise float64) (out [][5]float64) {
	const h, x0, y0, nx, ny = .05, -5, -2.5, 80, 90
	p, q := make([]float64, nx*ny), make([]float64, nx*ny)
	for i := range p {
		x, y := x0+h*float64(i/ny), y0+h*float64(i%ny)
		p[i] = math.Exp(-((x+3)*(x+3) + (y-.5)*(y-.5)) / (2 * .04))
	}
	scale := func() (sum float64) {
		for _, w := range p {
			sum += w
		}
		for i := range p {
			p[i] /= sum
		}
		return sum
	}
	kernel := func(d float64) float64 { return math.Exp(-d * d / (2 * .02)) }
	scale()
	logp := 0.0
	for s, b := range bearings {
		if s > 0 {
			for i := range q {
				q[i] = 0
				for k := max(0, i/ny-14); k < min(nx, i/ny+15); k++ {
					q[i] += p[k*ny+i%ny] * kernel(h*float64(i/ny-k))
				}
			}
			for i := range p {
				p[i] = 0
				for k := max(0, i%ny-14); k < min(ny, i%ny+19); k++ {
					p[i] += q[i/ny*ny+k] * kernel(h*float64(i%ny-k)+.2)
				}
			}
			scale()
		}
		if !math.IsNaN(b) {
			for i := range p {
				density, mean := 0.0, math.Atan2(y0+h*float64(i%ny), x0+h*float64(i/ny))
				for k := -3; k <= 3; k++ {
					off := b - mean + 2*math.Pi*float64(k)
					density += math.Exp(-off*off/(2*noise)) / math.Sqrt(2*math.Pi*noise)
				}
				p[i] *= density
			}
			logp += math.Log(scale())
		}
		var a [5]float64
		for i, w := range p {
			x, y := x0+h*float64(i/ny), y0+h*float64(i%ny)
			a[0], a[1], a[2], a[3] = a[0]+w*x, a[1]+w*x*x, a[2]+w*y, a[3]+w*y*y
		}
		a[1], a[3], a[4] = a[1]-a[0]*a[0], a[3]-a[2]*a[2], logp
		out = append(out, a)
	}
	return out
}

// TestCircularGrid compares filters with a grid, at the noise of the sensor for which densities are
// nearly normal.
func TestCircularGrid(t *testing.T) {
	m, want := bearing(t, -3, .5, -.2, 2*math.Pi, .004), bearingGrid(.004)
	list := givenBearings(0, 1)
	for name, got := range map[string][]*infer.Marginals{
		"ekf": filtered(t, m, filter.EKFOptions{}, list), "ukf": filtered(t, m, filter.NewUKFOptions(), list), "ghf": filtered(t, m, filter.NewGHFOptions(), list),
		"particle":      filtered(t, m, &particle.Options{Particles: 40000, Proposal: "bootstrap", Resampling: "systematic", Enough: .5, Paths: 1, Seed: 1}, list),
		"particle, ekf": filtered(t, m, &particle.Options{Particles: 20000, Proposal: "ekf", Resampling: "systematic", Enough: .5, Paths: 1, Seed: 1}, list),
		"particle, ukf": filtered(t, m, &particle.Options{Particles: 20000, Proposal: "ukf", Resampling: "systematic", Enough: .5, Paths: 1, Seed: 1}, list),
	} {
		for i, x := range got {
			what := fmt.Sprintf("%s, slice %d: ", name, i)
			slack := .006
			if !strings.HasPrefix(name, "particle") {
				slack = .012 // relative to 1 and the mean: an eighth of the deviation, since bearings are not linear
			}
			near(t, what+"x", x.Of("x").Mean, want[i][0], slack)
			near(t, what+"variance of x", x.Of("x").Variance, want[i][1], .004)
			near(t, what+"y", x.Of("y").Mean, want[i][2], .006)
			near(t, what+"variance of y", x.Of("y").Variance, want[i][3], .002)
			near(t, what+"ln P", x.LogProb, want[i][4], .02)
			if b := x.Of("b"); i == 3 && (math.Abs(math.Remainder(b.Mean-math.Pi, 2*math.Pi)) > .1 || b.Variance > .02) {
				t.Errorf("%sthe bearing without evidence %v; want near ±π", what, b)
			}
		}
	}
}

// compass returns a heading that turns by turn a slice and persists, with its compass; both are
// circular, and their CPDs Gaussian.
func compass(turn, move, noise float64) *model.Model {
	m := &model.Model{Name: "compass"}
	a, z := m.NewReal("a").ID, m.NewReal("z").ID
	for _, v := range m.Vars {
		v.Domain = model.Real{Period: 360}
	}
	seen := &model.Factor{Scope: []model.VarID{a, z}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{noise}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{a}, Dist: &model.Gaussian{Mean: []float64{350}, Var: []float64{400}}}, seen}
	m.Transition = &model.Transition{Before: []model.VarID{a},
		Factors: []*model.Factor{{Scope: []model.VarID{2, a}, Child: 1, Dist: &model.Gaussian{Mean: []float64{turn}, Coef: []float64{1}, Var: []float64{move}}}, seen}}
	return m
}

// TestCircularState compares filters of a heading that goes round with a grid on the circle, which
// has no other terms than theirs at these deviations; wide noise is for particles alone, which take
// neighbouring periods into account.
func TestCircularState(t *testing.T) {
	var list []infer.Given
	sequence := []float64{5, 100, math.NaN(), 281, 10, 99, 730 - 535, math.NaN(), 15}
	for _, z := range sequence {
		e := infer.Evidence{}
		if !math.IsNaN(z) {
			e["z"] = z
		}
		list = append(list, e)
	}
	for _, c := range []struct{ move, noise float64 }{{25, 100}, {900, 6400}} {
		m := compass(92, c.move, c.noise)
		means, variances, logs := compassGrid(sequence, 92, c.move, c.noise)
		for _, proposal := range []string{"bootstrap", "ekf"} {
			for i, got := range filtered(t, m, &particle.Options{Particles: 50000, Proposal: proposal, Resampling: "systematic", Enough: .5, Paths: 1, Seed: 1}, list) {
				what, sd := fmt.Sprintf("%s, noise %v, slice %d: ", proposal, c.noise, i), math.Sqrt(variances[i])
				near(t, what+"a", math.Remainder(got.Of("a").Mean-means[i], 360)/sd, 0, .03)
				near(t, what+"variance of a", got.Of("a").Variance/variances[i], 1, .03)
				near(t, what+"ln P", got.LogProb, logs[i], .005)
			}
		}
		if c.noise > 100 {
			continue
		}
		for name, by := range nonlinear {
			for i, got := range filtered(t, m, by, list) {
				what := fmt.Sprintf("%s, slice %d: ", name, i)
				near(t, what+"a", math.Remainder(got.Of("a").Mean-means[i], 360), 0, 1e-6)
				near(t, what+"variance of a", got.Of("a").Variance, variances[i], 1e-5)
				near(t, what+"ln P", got.LogProb, logs[i], 1e-7)
				if mean := got.Of("z").Mean; math.Abs(mean) > 180 {
					t.Errorf("%smean of z %v", what, mean)
				}
			}
		}
	}
}

// compassGrid filters on 1,440 headings. Means and variances are those of headings nearest to the
// mean direction.
func compassGrid(sequence []float64, turn, move, noise float64) (means, variances, logs []float64) {
	const n = 1440
	at := func(i int) float64 { return 360 * float64(i) / n }
	wrapped := func(off, variance float64) (sum float64) {
		for k := -4.0; k <= 4; k++ {
			sum += math.Exp(-(off+360*k)*(off+360*k)/(2*variance)) / math.Sqrt(2*math.Pi*variance)
		}
		return sum
	}
	p, logp := make([]float64, n), 0.0
	for i := range p {
		p[i] = wrapped(at(i)-350, 400) * 360 / n
	}
	for s, z := range sequence {
		if s > 0 {
			kernel, q := make([]float64, n), make([]float64, n)
			for i := range kernel {
				kernel[i] = wrapped(at(i)-turn, move) * 360 / n
			}
			for i := range q {
				for k, w := range p {
					q[i] += w * kernel[(i-k+n)%n]
				}
			}
			p = q
		}
		if !math.IsNaN(z) {
			sum := 0.0
			for i := range p {
				p[i] *= wrapped(z-at(i), noise)
				sum += p[i]
			}
			for i := range p {
				p[i] /= sum
			}
			logp += math.Log(sum)
		}
		var sin, cos, mean, variance float64
		for i, w := range p {
			sin, cos = sin+w*math.Sin(at(i)*math.Pi/180), cos+w*math.Cos(at(i)*math.Pi/180)
		}
		to := math.Atan2(sin, cos) * 180 / math.Pi
		for i, w := range p {
			mean += w * math.Remainder(at(i)-to, 360)
		}
		for i, w := range p {
			off := math.Remainder(at(i)-to, 360) - mean
			variance += w * off * off
		}
		means, variances, logs = append(means, to+mean), append(variances, variance), append(logs, logp)
	}
	return means, variances, logs
}

// TestCircularDensity checks the density of the model, which is that of the wrapped distribution.
func TestCircularDensity(t *testing.T) {
	m := compass(0, 1, 90*90)
	sum, x := 0.0, []float64{30, 0}
	for z := range 3600 {
		x[1] = float64(z) / 10
		sum += math.Exp(m.LogDensity(make([]int, 2), x)) / 10
	}
	x[1] = 30
	prior := math.Exp(-40*40/(2*400.)) / math.Sqrt(2*math.Pi*400) // of 30 by 350
	near(t, "integral over the compass", sum, prior, 1e-6)
	for _, z := range []float64{-330, 750} {
		y := []float64{30 + 720, z}
		near(t, "density at the same angles", m.LogDensity(make([]int, 2), y), m.LogDensity(make([]int, 2), x), 1e-12)
	}
}

// TestCircularRefused checks that methods that take no circular variables name those that do, and
// impossible periods.
func TestCircularRefused(t *testing.T) {
	m := compass(1, 1, 1)
	for _, c := range []struct{ name, want string }{
		{"filter", `method filter takes no circular variables, and "a" is one; ekf, ukf, ghf and particle do`},
		{"rbpf", `method rbpf takes no circular variables`},
		{"gpb2", `method gpb2 takes no circular variables`},
		{"clg", `method clg takes no`},
	} {
		_, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named(c.name), Queries: []string{"filter"}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v; want %s", c.name, err, c.want)
		}
	}
	_, err := compiler.Compile(context.Background(), m, compiler.Options{Method: &particle.Options{Particles: 10, Proposal: "posterior", Resampling: "systematic", Enough: .5, Paths: 1}, Queries: []string{"filter"}})
	if err == nil || !strings.Contains(err.Error(), `"a" is circular; want bootstrap, or ekf or ukf`) {
		t.Errorf("error %v", err)
	}
	for _, period := range []float64{-1, math.Inf(1), math.NaN(), 1e-31} {
		m.Vars[0].Domain = model.Real{Period: period}
		if list := m.Check(); !strings.Contains(fmt.Sprint(list.Err()), `variable "a" has the period`) {
			t.Errorf("period %v: %v", period, list.Err())
		}
	}
}

// TestCircularSmoothing compares trajectories of particles back over the cut at ±180 degrees with
// ekf, which is exact at these deviations, and both with the same turn through north.
func TestCircularSmoothing(t *testing.T) {
	north, south := compass(8, 4, 25), compass(8, 4, 25)
	south.Factors[0].Dist = &model.Gaussian{Mean: []float64{170}, Var: []float64{400}}
	var first, second []infer.Given
	for _, z := range []float64{350, 356, 4, 11} {
		first, second = append(first, infer.Evidence{"z": z}), append(second, infer.Evidence{"z": z - 180})
	}
	want, turned := smoothed(t, north, filter.EKFOptions{}, first), smoothed(t, south, filter.EKFOptions{}, second)
	drawn := smoothed(t, south, &particle.Options{Particles: 2000, Proposal: "bootstrap", Resampling: "systematic", Enough: .5, Paths: 1000, Seed: 1}, second)
	for i, x := range want {
		what := fmt.Sprintf("slice %d: ", i)
		mean, sd := x.Of("a").Mean, math.Sqrt(x.Of("a").Variance)
		near(t, what+"turned", math.Remainder(turned[i].Of("a").Mean-180-mean, 360), 0, 1e-10)
		near(t, what+"particles", math.Remainder(drawn[i].Of("a").Mean-180-mean, 360)/sd, 0, .15)
		near(t, what+"variance of particles", drawn[i].Of("a").Variance/(sd*sd), 1, .15)
	}
}

package particle_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// room is a robot that goes in a circle, one metre a slice, and in each slice measures one of some
// landmarks in its own coordinates, or clutter. A plan has the places of the landmarks, which are
// half a metre off.
type room struct{ marks [][2]float64 }

// What holds in all rooms.
const (
	turn, clutter                     = .1, .1                  // radians a slice; the share of clutter
	place, heading, sensor, plan, far = .01, .002, .05, .25, 50 // variances
)

// ring returns n landmarks around the circle.
func ring(n int) (r room) {
	for i := range n {
		at := 2 * math.Pi * float64(i) / float64(n)
		r.marks = append(r.marks, [2]float64{14 * math.Sin(at), 10 - 14*math.Cos(at)})
	}
	return r
}

// text returns the model, in which a discrete variable says which landmark was measured.
func (r room) text() string {
	var vars, priors, stay, scope, states, p, v []string
	add := func(list *[]string, format string, args ...any) { *list = append(*list, fmt.Sprintf(format, args...)) }
	along := func(x, y string) string { return fmt.Sprintf("cos(h)*(%s-x) + sin(h)*(%s-y)", x, y) }
	across := func(x, y string) string { return fmt.Sprintf("cos(h)*(%s-y) - sin(h)*(%s-x)", y, x) }
	cx, cy, sensors := "0", "0", []string{}
	for i, at := range r.marks {
		x, y := fmt.Sprintf("l%dx", i), fmt.Sprintf("l%dy", i)
		for k, name := range []string{x, y} {
			add(&vars, `{"name": %q, "real": true}`, name)
			add(&priors, `{"scope": [%q], "child": %q, "gaussian": {"mean": [%v], "var": [%v]}}`, name, name, at[k], plan)
			add(&stay, `{"scope": [[%q, 1], %q], "child": %q, "gaussian": {"mean": [0], "coef": [1], "var": [0]}}`, name, name, name)
		}
		add(&scope, "%q, %q", x, y)
		add(&states, `"m%d"`, i)
		add(&p, "%v", (1-clutter)/float64(len(r.marks)))
		add(&v, "%v", sensor)
		cx, cy = fmt.Sprintf(`if(seen = \"m%d\", %s, %s)`, i, along(x, y), cx), fmt.Sprintf(`if(seen = \"m%d\", %s, %s)`, i, across(x, y), cy)
	}
	join := func(list []string) string { return strings.Join(list, ", ") }
	add(&vars, `{"name": "seen", "states": [%s, "clutter"]}, {"name": "zx", "real": true}, {"name": "zy", "real": true}`, join(states))
	add(&sensors, `{"scope": ["seen"], "child": "seen", "table": [%s, %v]}`, join(p), clutter)
	for k, mean := range []string{cx, cy} {
		z := []string{"zx", "zy"}[k]
		add(&sensors, `{"scope": ["seen", "x", "y", "h", %s, %q], "child": %q, "func": {"mean": "%s", "var": [%s, %v]}}`, join(scope), z, z, mean, join(v), far)
	}
	for _, v := range []string{"x", "y", "h"} {
		add(&vars, `{"name": %q, "real": true}`, v)
		add(&priors, `{"scope": [%q], "child": %q, "gaussian": {"mean": [0], "var": [0.001]}}`, v, v)
	}
	add(&stay, `{"scope": [["x", 1], ["h", 1], "x"], "child": "x", "func": {"mean": "%[1]sx@-1%[1]s + cos(%[1]sh@-1%[1]s)", "var": [%[2]v]}}`, "`", place)
	add(&stay, `{"scope": [["y", 1], ["h", 1], "y"], "child": "y", "func": {"mean": "%[1]sy@-1%[1]s + sin(%[1]sh@-1%[1]s)", "var": [%[2]v]}}`, "`", place)
	add(&stay, `{"scope": [["h", 1], "h"], "child": "h", "gaussian": {"mean": [%v], "coef": [1], "var": [%v]}}`, turn, heading)
	return fmt.Sprintf(`{"pgmc": 2, "kind": "bayes", "variables": [%s], "factors": [%s, %s], "next": {"factors": [%s, %s]}}`, join(vars), join(priors), join(sensors), join(stay), join(sensors))
}

// journey is what happened in a room: the places of the robot and of the landmarks, the measurements,
// and which landmark each is of, or len(marks) for clutter.
type journey struct {
	pose  [][2]float64
	marks [][2]float64
	z     [][2]float64
	seen  []int
}

// journey draws n slices. The robot measures one of the landmarks within eight metres, or any if
// there is none.
func (r room) journey(n int, seed uint64) (j journey) {
	rng := rand.New(rand.NewPCG(seed, 20))
	noise := func(variance float64) float64 { return math.Sqrt(variance) * rng.NormFloat64() }
	for _, at := range r.marks {
		j.marks = append(j.marks, [2]float64{at[0] + noise(plan), at[1] + noise(plan)})
	}
	x, y, h := noise(.001), noise(.001), noise(.001)
	for t := range n {
		if t > 0 {
			x, y, h = x+math.Cos(h)+noise(place), y+math.Sin(h)+noise(place), h+turn+noise(heading)
		}
		k := rng.IntN(len(j.marks))
		for range 100 {
			if math.Hypot(j.marks[k][0]-x, j.marks[k][1]-y) < 8 {
				break
			}
			k = rng.IntN(len(j.marks))
		}
		dx, dy := j.marks[k][0]-x, j.marks[k][1]-y
		z := [2]float64{math.Cos(h)*dx + math.Sin(h)*dy + noise(sensor), math.Cos(h)*dy - math.Sin(h)*dx + noise(sensor)}
		if rng.Float64() < clutter {
			k, z = len(j.marks), [2]float64{noise(far), noise(far)}
		}
		j.pose, j.z, j.seen = append(j.pose, [2]float64{x, y}), append(j.z, z), append(j.seen, k)
	}
	return j
}

// operations returns the number of arithmetic operations of a slice, without the drawing of states.
func operations(p *ir.Program) (n int) {
	for _, b := range p.Entry(ir.FilterNext).Blocks {
		for _, s := range p.Blocks[b].Steps {
			if m, ok := s.(*ir.Map); ok {
				each := len(m.Code)
				for _, a := range m.Axes {
					if a.Kind != ir.AxisFixed {
						each *= a.Size
					}
				}
				n += each
			}
		}
	}
	return n
}

// slamErrors are the root mean square errors of a filter in metres: of the robot's places over all
// slices, and of the landmarks after the last one.
type slamErrors struct{ pose, marks float64 }

// errorsOf returns the errors of a list of posteriors.
func errorsOf(j journey, list []*infer.Marginals) (e slamErrors) {
	off := func(m *infer.Marginals, name string, at [2]float64) float64 {
		return math.Pow(m.Of(name+"x").Mean-at[0], 2) + math.Pow(m.Of(name+"y").Mean-at[1], 2)
	}
	for t, m := range list {
		e.pose += off(m, "", j.pose[t]) / float64(len(list))
	}
	for i, at := range j.marks {
		e.marks += off(list[len(list)-1], fmt.Sprintf("l%d", i), at) / float64(len(j.marks))
	}
	return slamErrors{math.Sqrt(e.pose), math.Sqrt(e.marks)}
}

// extended is the extended Kalman filter of a room: the robot's place and heading, then the places
// of the landmarks.
type extended struct {
	r room
	x []float64
	p [][]float64
}

func newExtended(r room) *extended {
	e := &extended{r: r, x: make([]float64, 3)}
	for _, at := range r.marks {
		e.x = append(e.x, at[:]...)
	}
	for i := range e.x {
		e.p = append(e.p, make([]float64, len(e.x)))
		if e.p[i][i] = plan; i < 3 {
			e.p[i][i] = .001
		}
	}
	return e
}

// move predicts the next slice.
func (e *extended) move() {
	c, s := math.Cos(e.x[2]), math.Sin(e.x[2])
	e.x[0], e.x[1], e.x[2] = e.x[0]+c, e.x[1]+s, e.x[2]+turn
	for range 2 { // P F', then F P F' by symmetry
		for i := range e.p {
			e.p[i][0], e.p[i][1] = e.p[i][0]-s*e.p[i][2], e.p[i][1]+c*e.p[i][2]
		}
		for i := range e.p {
			for j := range i {
				e.p[i][j], e.p[j][i] = e.p[j][i], e.p[i][j]
			}
		}
	}
	for i, variance := range []float64{place, place, heading} {
		e.p[i][i] += variance
	}
}

// update conditions on a measurement of landmark k, if set is true, and returns ln of its density
// times the probability of the landmark.
func (e *extended) update(k int, z [2]float64, set bool) (log float64) {
	c, s := math.Cos(e.x[2]), math.Sin(e.x[2])
	l := 3 + 2*k
	dx, dy := e.x[l]-e.x[0], e.x[l+1]-e.x[1]
	off := [2]float64{z[0] - c*dx - s*dy, z[1] - c*dy + s*dx}
	at := []int{0, 1, 2, l, l + 1}
	h := [2][]float64{{-c, -s, c*dy - s*dx, c, s}, {s, -c, -s*dy - c*dx, -s, c}}
	with := make([][2]float64, len(e.x)) // covariances of all with the measurement
	cov := [2][2]float64{{sensor, 0}, {0, sensor}}
	for i := range e.x {
		for m := range 2 {
			for a, j := range at {
				with[i][m] += e.p[i][j] * h[m][a]
			}
		}
	}
	for m := range 2 {
		for a, j := range at {
			cov[m][0], cov[m][1] = cov[m][0]+h[m][a]*with[j][0], cov[m][1]+h[m][a]*with[j][1]
		}
	}
	det := cov[0][0]*cov[1][1] - cov[0][1]*cov[1][0]
	for i, w := range with {
		g := [2]float64{(w[0]*cov[1][1] - w[1]*cov[1][0]) / det, (w[1]*cov[0][0] - w[0]*cov[0][1]) / det}
		for j := range e.x {
			if set {
				e.p[i][j] -= g[0]*with[j][0] + g[1]*with[j][1]
			}
		}
		if set {
			e.x[i] += g[0]*off[0] + g[1]*off[1]
		}
	}
	squares := (off[0]*off[0]*cov[1][1] - 2*off[0]*off[1]*cov[0][1] + off[1]*off[1]*cov[0][0]) / det
	return math.Log((1-clutter)/float64(len(e.r.marks))) - squares/2 - math.Log(det)/2
}

// follow returns the means of each slice. The filter is told which landmark each measurement is of,
// or takes the one of the largest density, or clutter if that has more.
func (e *extended) follow(j journey, told bool) (out []*infer.Marginals) {
	for t, z := range j.z {
		if t > 0 {
			e.move()
		}
		best := j.seen[t]
		if !told {
			most := math.Log(clutter/far) - (z[0]*z[0]+z[1]*z[1])/(2*far)
			best = len(e.r.marks)
			for k := range e.r.marks {
				if log := e.update(k, z, false); log > most {
					best, most = k, log
				}
			}
		}
		if best < len(e.r.marks) {
			e.update(best, z, true)
		}
		now := &infer.Marginals{}
		for i, x := range e.x {
			now.List = append(now.List, infer.Distribution{Var: slamName(i), Mean: x, Variance: e.p[i][i]})
		}
		out = append(out, now)
	}
	return out
}

// slamName returns the name of number i of the extended filter.
func slamName(i int) string {
	if i < 3 {
		return []string{"x", "y", "h"}[i]
	}
	return fmt.Sprintf("l%d%s", (i-3)/2, []string{"x", "y"}[(i-3)%2])
}

// evidence returns the measurements of a journey as evidence of the model with choice, with the
// landmarks if they are told.
func (r room) evidence(j journey, told bool) (given []infer.Given) {
	for i, z := range j.z {
		ev := infer.Evidence{"zx": z[0], "zy": z[1]}
		if told {
			ev["seen"] = "clutter"
			if k := j.seen[i]; k < len(r.marks) {
				ev["seen"] = fmt.Sprintf("m%d", k)
			}
		}
		given = append(given, ev)
	}
	return given
}

// slamWay is a way to follow a journey: by particles of the path, or without them by the extended
// filter.
type slamWay struct {
	particles   int
	proposal    string
	told        bool
	pose, marks []float64 // errors, by journey
}

// lost returns the number of journeys in which the robot is a metre off.
func (w *slamWay) lost() (n int) {
	for _, x := range w.pose {
		if x > 1 {
			n++
		}
	}
	return n
}

// TestRoom compares the errors of particles of the path (FastSLAM) with those of the extended
// Kalman filter, in a room with landmarks; docs/measurements/filters.md has the figures of the long
// test.
func TestRoom(t *testing.T) {
	marks, slices, runs := 8, 60, 3
	ways := []*slamWay{{told: true}, {}, {particles: 100, told: true}, {particles: 100}, {particles: 100, proposal: "ekf"}}
	if irtest.Long(t) {
		marks, slices, runs = 20, 200, 16
		ways = append(ways, &slamWay{particles: 500}, &slamWay{particles: 20, proposal: "ekf"})
	}
	rng := rand.New(rand.NewPCG(uint64(marks), 0))
	r := room{}
	for range marks {
		r.marks = append(r.marks, [2]float64{30*rng.Float64() - 15, 30*rng.Float64() - 5})
	}
	m := load(t, r.text())
	for _, w := range ways {
		by := particle.RBPFOptions{Draw: "x,y,h", Particles: w.particles, Proposal: w.proposal, Seed: 1}
		for seed := range uint64(runs) {
			j := r.journey(slices, seed)
			var list []*infer.Marginals
			if w.particles == 0 {
				list = newExtended(r).follow(j, w.told)
			} else {
				list = run(t, m, by, r.evidence(j, w.told))
			}
			e := errorsOf(j, list)
			w.pose, w.marks = append(w.pose, e.pose), append(w.marks, e.marks)
		}
		t.Logf("%d particles, proposal %q, told %v: pose %.2f, landmarks %.2f; %d lost", w.particles, w.proposal, w.told, w.pose, w.marks, w.lost())
	}
	extended, particles := ways[1], ways[4]
	if none := ways[0].lost(); none > 0 || particles.lost() > extended.lost() || irtest.Long(t) && 2*particles.lost() > extended.lost() {
		t.Errorf("the extended filter loses %d of %d journeys, and %d if it is told the landmarks; particles %d; want none of the told ones, and at most half as many with particles",
			extended.lost(), runs, none, particles.lost())
	}
}

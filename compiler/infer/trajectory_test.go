package infer_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestTrajectories compares draws given evidence, and draws without, with smoothed posteriors and
// with the joint posteriors of neighbouring slices of the unrolled network.
func TestTrajectories(t *testing.T) {
	ctx := context.Background()
	for name, opt := range map[string]irtest.TemplateOptions{
		"discrete": {}, "latent": {Latent: true}, "mixed": {Reals: true}, "real": {All: true},
		"given discrete": {Reals: true, Givens: true}, "given real": {All: true, Givens: true},
		"histories": {Reals: true, Mixed: true}, "latent histories": {Reals: true, Mixed: true, Latent: true},
	} {
		for _, seed := range irtest.Cases(t, 2, 20) {
			m := irtest.RandomTemplate(seed, opt)
			sequence, all := irtest.RandomSequence(m, 3, seed)
			compareDraws(ctx, t, fmt.Sprintf("%s, seed %d", name, seed), m, sequence, all)
		}
	}
}

const draws = 3000

// compareDraws compares draws with evidence on given variables alone, and with all of the evidence.
func compareDraws(ctx context.Context, t *testing.T, name string, m *model.Model, sequence []map[string]any, all map[string]any) {
	t.Helper()
	e, flat := newEngine(t, m), newEngine(t, m.Unroll(len(sequence)))
	var given, free []infer.Given
	known := infer.Evidence{}
	for i, slice := range sequence {
		row := infer.Evidence{}
		for _, v := range m.Vars {
			if v.Given {
				row[v.Name] = slice[v.Name]
				known[fmt.Sprintf("%s@%d", v.Name, i)] = slice[v.Name]
			}
		}
		given, free = append(given, infer.Evidence(slice)), append(free, row)
	}
	compareMoments(ctx, t, name+", given evidence", e, flat, e.Trajectories(ctx, given), given, infer.Evidence(all))
	compareMoments(ctx, t, name+", forward", e, flat, infer.ForwardTrajectories(m, free, 1), free, known)
}

// compareMoments compares the means of each state's indicator, or of each value, and of the
// products of those of the first variable in neighbouring slices, within 4 standard errors: of the
// draws, or of the exact distribution if it has states that are so rare that no draw shows them.
func compareMoments(ctx context.Context, t *testing.T, name string, e, flat *infer.Engine, rows iter.Seq2[[][]model.Value, error], given []infer.Given, all infer.Evidence) {
	t.Helper()
	smooth, err := e.Smooth(ctx, given)
	if err != nil {
		t.Fatal(name, err)
	}
	n, vars := len(given), e.Vars()
	sums := map[string]*[2]float64{} // of a number and of its square
	add := func(of string, x float64) {
		if sums[of] == nil {
			sums[of] = &[2]float64{}
		}
		sums[of][0] += x
		sums[of][1] += x * x
	}
	number := func(v *model.Var, x model.Value) float64 {
		if e.Model().IsReal(v.ID) {
			return x.Real
		}
		return float64(x.State)
	}
	count := 0
	for row, err := range rows {
		if err != nil {
			t.Fatal(name, err)
		}
		for i := range n {
			for k, v := range vars {
				x := number(v, row[i][k])
				add(fmt.Sprintf("mean of %s@%d", v.Name, i), x)
				add(fmt.Sprintf("square of %s@%d", v.Name, i), x*x)
			}
			if i > 0 {
				add(fmt.Sprintf("product@%d", i), number(vars[0], row[i-1][0])*number(vars[0], row[i][0]))
			}
		}
		if count++; count == draws {
			break
		}
	}
	check := func(of string, want, square float64) {
		got := sums[of][0] / draws
		spread := math.Sqrt(max(0, sums[of][1]/draws-got*got, square-want*want) / draws)
		if !(math.Abs(got-want) <= 4*spread+1e-9*(1+math.Abs(want))) {
			t.Errorf("%s: the %s is %v ± %v; want %v", name, of, got, spread, want)
		}
	}
	for i := range n {
		for k, v := range vars {
			mean, square, fourth := moments(&smooth[i].List[k])
			check(fmt.Sprintf("mean of %s@%d", v.Name, i), mean, square)
			check(fmt.Sprintf("square of %s@%d", v.Name, i), square, fourth)
		}
		if i > 0 {
			mean, square := productOf(ctx, t, flat, vars[0].Name, i, all)
			check(fmt.Sprintf("product@%d", i), mean, square)
		}
	}
}

// moments returns the means of the number of a state, or of the value, of its square, and of its
// fourth power, which is 0 for a value.
func moments(d *infer.Distribution) (mean, square, fourth float64) {
	if d.P == nil {
		return d.Mean, d.Variance + d.Mean*d.Mean, 0
	}
	for s, p := range d.P {
		mean += float64(s) * p
		square += float64(s*s) * p
		fourth += float64(s*s*s*s) * p
	}
	return mean, square, fourth
}

// productOf returns the means of the product of a variable in two neighbouring slices and of its
// square, which is 0 for two values that are not known.
func productOf(ctx context.Context, t *testing.T, flat *infer.Engine, name string, i int, all infer.Evidence) (mean, square float64) {
	t.Helper()
	a, b := fmt.Sprintf("%s@%d", name, i-1), fmt.Sprintf("%s@%d", name, i)
	m, err := flat.Marginals(ctx, all)
	if err != nil {
		t.Fatal(err)
	}
	first, firstSquare, _ := moments(m.Of(a))
	second, secondSquare, _ := moments(m.Of(b))
	if all[a] != nil || all[b] != nil { // one of them is known
		return first * second, firstSquare * secondSquare
	}
	joint, err := flat.Joint(ctx, all, a, b)
	if err != nil {
		t.Fatal(err)
	}
	if joint.Reals != nil {
		return joint.Cov[0][1] + first*second, 0
	}
	k := len(joint.States[1])
	for at, p := range joint.P {
		x := float64(at/k) * float64(at%k)
		mean += x * p
		square += x * x * p
	}
	return mean, square
}

// TestDiffuseTrajectories draws the local level of the Nile, and refuses to draw what the evidence
// leaves open.
func TestDiffuseTrajectories(t *testing.T) {
	ctx := context.Background()
	m, given := nile(t)
	e := newEngine(t, m)
	sum, squares, n := 0., 0., 0.
	for row, err := range e.Trajectories(ctx, given) {
		if err != nil {
			t.Fatal(err)
		}
		sum += row[49][0].Real
		squares += row[49][0].Real * row[49][0].Real
		if n++; n == draws {
			break
		}
	}
	mean := sum / n
	if want := 834.76325910; math.Abs(mean-want) > 4*math.Sqrt(2326.756870/n) {
		t.Errorf("the mean level of year 50 is %v; want %v", mean, want)
	}
	if got, want := squares/n-mean*mean, 2326.756870; math.Abs(got-want) > 4*want*math.Sqrt(2/n) {
		t.Errorf("the variance of the level of year 50 is %v; want %v", got, want)
	}
	var slice *infer.SliceError
	for _, err := range e.Trajectories(ctx, []infer.Given{nil, nil}) {
		if !errors.As(err, &slice) || !strings.Contains(err.Error(), "has an infinite variance") {
			t.Errorf("error %v; want one about an infinite variance", err)
		}
	}
	for _, err := range infer.ForwardTrajectories(m, make([]infer.Given, 2), 1) {
		if err == nil || !strings.Contains(err.Error(), `variable "level" has a diffuse prior`) {
			t.Errorf("error %v; want one about a diffuse prior", err)
		}
	}
}

// TestInnovation compares with the joint prediction of the unrolled network: ln of the density of
// the evidence follows from the distance and the determinant.
func TestInnovation(t *testing.T) {
	ctx := context.Background()
	for _, seed := range irtest.Cases(t, 10, 100) {
		m := irtest.RandomTemplate(seed, irtest.TemplateOptions{All: true, Givens: seed%2 == 0})
		e := newEngine(t, m)
		sequence, _ := irtest.RandomSequence(m, 4, seed)
		f, err := e.Filter(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for i, slice := range sequence {
			given, before := infer.Evidence(slice), f.LogProb()
			got, err := f.Innovation(ctx, given)
			if err != nil {
				t.Fatal(err)
			}
			unseen := infer.Evidence{}
			for _, v := range m.Vars {
				if v.Given {
					unseen[v.Name] = slice[v.Name]
				}
			}
			predicted, err := f.Clone().Step(ctx, unseen)
			if err != nil {
				t.Fatal(err)
			}
			for k, name := range got.Vars {
				d := predicted.Of(name)
				if want := slice[name].(float64) - d.Mean; math.Abs(got.Residual[k]-want) > 1e-9*(1+math.Abs(want)) || math.Abs(got.Cov[k][k]-d.Variance) > 1e-9*d.Variance {
					t.Errorf("seed %d, slice %d: %s has the residual %v ± %v²; want %v, %v", seed, i, name, got.Residual[k], got.Cov[k][k], want, d.Variance)
				}
			}
			if _, err := f.Step(ctx, given); err != nil {
				t.Fatal(err)
			}
			want := -.5 * (got.Distance + logDet(got.Cov) + float64(len(got.Vars))*math.Log(2*math.Pi))
			if x := f.LogProb() - before; math.Abs(x-want) > 1e-8*(1+math.Abs(want)) {
				t.Errorf("seed %d, slice %d: ln P is %v; the innovation makes it %v", seed, i, x, want)
			}
		}
	}
	f, err := newEngine(t, func() *model.Model { m, _ := nile(t); return m }()).Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, vars := range []int{0, 1} { // the first flow cannot be predicted
		x, err := f.Innovation(ctx, infer.Evidence{"flow": 1.0})
		if err != nil || len(x.Vars) != vars {
			t.Errorf("innovation %v, error %v; want %d variables", x, err, vars)
		}
		if _, err := f.Step(ctx, infer.Evidence{"flow": 1.0}); err != nil {
			t.Fatal(err)
		}
	}
}

// logDet returns ln of the determinant of a positive definite matrix.
func logDet(a [][]float64) (sum float64) {
	_, d := ldl(a)
	for _, x := range d {
		sum += math.Log(x)
	}
	return sum
}

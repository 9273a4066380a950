package infer_test

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// stateSpace is a file of the reference collection: y = Z a + eps, a' = T a + R eta.
type stateSpace struct {
	Z, H, T, R, Q [][]float64
	A1            []float64
	P1, P1inf     [][]float64
	Y             [][]*float64
	Reference     struct {
		Loglik           float64   `json:"loglik_with_2pi_constant_for_every_observed_entry"`
		Diffuse          int       `json:"diffuse_dimensions"`
		SmoothedFirst    []float64 `json:"smoothed_state_first"`
		SmoothedLast     []float64 `json:"smoothed_state_last"`
		FilteredLast     []float64 `json:"filtered_state_last"`
		SmoothedVarFirst []float64 `json:"smoothed_var_first"`
	}
}

// load decodes a JSON file of the reference collection.
func load(t *testing.T, name string, into any) {
	t.Helper()
	file, err := os.Open(filepath.Join(irtest.Shared(t), "data/temporal2", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var in io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.NewDecoder(in).Decode(into); err != nil {
		t.Fatal(name, err)
	}
}

// ldl returns the unit lower triangle and the diagonal of a covariance matrix. Rows of a singular
// one have zeros.
func ldl(q [][]float64) (l [][]float64, d []float64) {
	n := len(q)
	l, d = make([][]float64, n), make([]float64, n)
	for i := range n {
		l[i] = make([]float64, n)
		l[i][i] = 1
		for j := range i + 1 {
			x := q[i][j]
			for k := range j {
				x -= l[i][k] * d[k] * l[j][k]
			}
			if i == j {
				d[i] = x
			} else if d[j] != 0 {
				l[i][j] = x / d[j]
			}
		}
	}
	return l, d
}

// regressions returns, for variables x = M b + e with noise e of the covariance matrix q, the
// coefficients of each x on those before it and on b, and its variance: L⁻¹ e has independent
// components.
func regressions(m, q [][]float64) (own, of [][]float64, variance []float64) {
	l, variance := ldl(q)
	n := len(q)
	for i := range n {
		row := make([]float64, i) // of (I - L⁻¹)
		for j := i - 1; j >= 0; j-- {
			row[j] = l[i][j]
			for k := j + 1; k < i; k++ {
				row[j] -= row[k] * l[k][j]
			}
		}
		var coef []float64
		if m != nil {
			for b := range m[i] {
				x := m[i][b]
				for j := range i {
					x -= row[j] * m[j][b]
				}
				coef = append(coef, x)
			}
		}
		own, of = append(own, row), append(of, coef)
	}
	return own, of, variance
}

func product(a, b [][]float64) [][]float64 {
	out := make([][]float64, len(a))
	for i := range a {
		out[i] = make([]float64, len(b[0]))
		for j := range out[i] {
			for k := range b {
				out[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return out
}

func transposed(a [][]float64) [][]float64 {
	out := make([][]float64, len(a[0]))
	for i := range out {
		for _, row := range a {
			out[i] = append(out[i], row[i])
		}
	}
	return out
}

// template returns the model: a1, a2 and so on are states, y1 and so on observations.
func (s *stateSpace) template() *model.Model {
	m := &model.Model{}
	n := len(s.A1)
	for i := range n {
		m.NewReal(fmt.Sprint("a", i+1))
	}
	sensors := s.sensors(m)
	own, _, variance := regressions(nil, s.P1)
	for i := range model.VarID(n) {
		f := &model.Factor{Child: int(i)}
		mean := s.A1[i]
		for j := range i {
			f.Scope = append(f.Scope, j)
			mean -= own[i][j] * s.A1[j]
		}
		f.Scope = append(f.Scope, i)
		f.Dist = &model.Gaussian{Mean: []float64{mean}, Coef: own[i], Var: []float64{variance[i]}}
		if s.P1inf != nil && s.P1inf[i][i] > 0 { // and alone in its row of both matrices
			f.Scope, f.Child, f.Dist = []model.VarID{i}, 0, &model.Diffuse{}
		}
		m.Factors = append(m.Factors, f)
	}
	m.Factors = append(m.Factors, sensors...)
	m.Transition = &model.Transition{}
	own, of, variance := regressions(s.T, product(product(s.R, s.Q), transposed(s.R)))
	for i := range model.VarID(n) {
		m.Transition.Before = append(m.Transition.Before, i)
		f := &model.Factor{Child: int(i) + n}
		for j := range i {
			f.Scope = append(f.Scope, j)
		}
		for j := range n {
			f.Scope = append(f.Scope, model.VarID(len(m.Vars)+j))
		}
		f.Scope = append(f.Scope, i)
		f.Dist = &model.Gaussian{Mean: []float64{0}, Coef: append(own[i][:i:i], of[i]...), Var: []float64{variance[i]}}
		m.Transition.Factors = append(m.Transition.Factors, f)
	}
	m.Transition.Factors = append(m.Transition.Factors, sensors...)
	return m
}

// sensors adds the observations, whose noise is independent in all files.
func (s *stateSpace) sensors(m *model.Model) (list []*model.Factor) {
	for i := range s.Z {
		y := m.NewReal(fmt.Sprint("y", i+1)).ID
		f := &model.Factor{Child: len(s.A1)}
		for j := range s.A1 {
			f.Scope = append(f.Scope, model.VarID(j))
		}
		f.Scope = append(f.Scope, y)
		f.Dist = &model.Gaussian{Mean: []float64{0}, Coef: s.Z[i], Var: []float64{s.H[i][i]}}
		list = append(list, f)
	}
	return list
}

func (s *stateSpace) sequence() (given []infer.Given) {
	for _, row := range s.Y {
		e := infer.Evidence{}
		for i, y := range row {
			if y != nil {
				e[fmt.Sprint("y", i+1)] = *y
			}
		}
		given = append(given, e)
	}
	return given
}

// smoothedColumns returns the smoothed states of an R package, by row.
func smoothedColumns(t *testing.T, name string, n int) (rows [][]float64) {
	t.Helper()
	file, err := os.Open(filepath.Join(irtest.Shared(t), "data/temporal2", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var in io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	table, err := csv.NewReader(in).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for at, row := range table[1:] {
		var list []float64
		for i := range n {
			for k, head := range table[0] {
				if head == fmt.Sprint("alphahat_", i+1) || head == fmt.Sprint("alphahat", i+1) {
					x, err := strconv.ParseFloat(row[k], 64)
					if row[k] == "NA" && at == len(table)-2 { // the row after the last slice
						return rows
					}
					if err != nil {
						t.Fatal(err)
					}
					list = append(list, x)
				}
			}
		}
		if len(list) != n {
			t.Fatalf("%s has %d columns of smoothed states; want %d", name, len(list), n)
		}
		rows = append(rows, list)
	}
	return rows
}

// TestStateSpace compares with numbers of 50 digits, and all smoothed states with those of R
// packages, which are wrong in one diffuse slice of two files.
func TestStateSpace(t *testing.T) {
	for _, c := range []struct {
		name, results string
		wrong         int
		tolerance     float64 // of smoothed states; the prior variance of 1e6 takes digits in two files
	}{
		{"exact_initial_local_level", ".csv", -1, 1e-12},
		{"exact_initial_local_linear_trend", ".csv", -1, 1e-12},
		{"exact_initial_local_linear_trend_missing", ".csv", -1, 1e-12},
		{"exact_initial_common_level_restricted", ".csv", 0, 1e-12},
		{"exact_initial_var1", ".csv", -1, 1e-12},
		{"exact_initial_var1_measurement_error", ".csv", -1, 1e-12},
		{"exact_initial_dfm", ".csv", 1, 1e-12},
		{"smoothing", ".csv.gz", -1, 1e-9},
		{"smoothing2", ".csv.gz", -1, 1e-8},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &stateSpace{}
			load(t, "statespace-"+c.name+".json", s)
			compareStateSpace(t, s, smoothedColumns(t, "sm-results_"+c.name+"_R"+c.results, len(s.A1)), c.wrong, c.tolerance)
		})
	}
}

func compareStateSpace(t *testing.T, s *stateSpace, states [][]float64, wrong int, tolerance float64) {
	t.Helper()
	ctx := context.Background()
	e, err := infer.New(ctx, s.template(), infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want, tolerance float64) {
		if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
			t.Errorf("%s is %v; want %v", what, got, want)
		}
	}
	smooth, err := e.Smooth(ctx, s.sequence())
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var last *infer.Marginals
	for _, given := range s.sequence() {
		if last, err = f.Step(ctx, given); err != nil {
			t.Fatal(err)
		}
	}
	r, end := &s.Reference, len(smooth)-1
	const digits = 1e-11
	near("ln P", last.LogProb, r.Loglik+.5*float64(r.Diffuse)*math.Log(2*math.Pi), digits)
	for i := range s.A1 {
		near("the first smoothed state", smooth[0].List[i].Mean, r.SmoothedFirst[i], tolerance)
		near("its variance", smooth[0].List[i].Variance, r.SmoothedVarFirst[i], tolerance)
		near("the last smoothed state", smooth[end].List[i].Mean, r.SmoothedLast[i], digits)
		near("the last filtered state", last.List[i].Mean, r.FilteredLast[i], digits)
	}
	for t, row := range states {
		for i, want := range row {
			if t != wrong {
				near(fmt.Sprintf("smoothed state %d of slice %d", i+1, t), smooth[t].List[i].Mean, want, tolerance)
			}
		}
	}
}

// TestExactMeasurement checks the variance given a measurement whose noise is 1e-16 of the variance
// before: a difference of the two would have no digit.
func TestExactMeasurement(t *testing.T) {
	const prior, noise = 1e6, 1e-10
	m := read(t, `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "x", "real": true}, {"name": "y", "real": true}, {"name": "z", "real": true}],
"factors": [{"scope": ["x"], "child": "x", "gaussian": {"mean": [0], "var": [1e6]}}, {"scope": ["x", "y"], "child": "y", "gaussian": {"mean": [0], "coef": [1], "var": [1]}},
 {"scope": ["x", "y", "z"], "child": "z", "gaussian": {"mean": [0], "coef": [2, 0], "var": [1e-10]}}],
"next": {"factors": [{"scope": [["x", 1], "x"], "child": "x", "gaussian": {"mean": [0], "coef": [1], "var": [1]}}, {"scope": ["x", "y"], "child": "y", "gaussian": {"mean": [0], "coef": [1], "var": [1]}},
 {"scope": ["x", "y", "z"], "child": "z", "gaussian": {"mean": [0], "coef": [2, 0], "var": [1e-10]}}]}}`)
	ctx := context.Background()
	e, err := infer.New(ctx, m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	before := prior
	for range 3 {
		list, err := f.Step(ctx, infer.Evidence{"z": 3.0})
		if err != nil {
			t.Fatal(err)
		}
		want := before * noise / (4*before + noise)
		if got := list.List[0].Variance; math.Abs(got-want) > 1e-14*want {
			t.Errorf("slice %d: the variance of x is %v; want %v", f.Len()-1, got, want)
		}
		before = want + 1
	}
}

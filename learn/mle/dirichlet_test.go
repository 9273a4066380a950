package mle_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// The numbers are those of an independent optimiser.
func TestLearnDirichlet(t *testing.T) {
	d := mle.LearnDirichlet([][]float64{{8, 1, 0}, {1, 6, 2}, {5, 0, 4}, {0, 3, 7}, {6, 2, 1}})
	irtest.Close(t, d.Alpha, []float64{.975848611212, .731556549306, .780687355937}, 1e-12)
	irtest.CloseTo(t, d.LogML, -42.9086003375, 1e-9)
	if d.Pooled {
		t.Error("rows that differ are pooled")
	}
}

// Rows that do not differ, a single one, rows of one count each, and none are pooled at 10,000
// rows.
func TestPooledDirichlet(t *testing.T) {
	for _, rows := range [][][]float64{
		{{4, 1, 0}, {3, 2, 0}, {5, 0, 1}, {2, 2, 2}, {6, 1, 1}},
		{{3, 5, 2}, {0, 0, 0}},
		{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		{{3, 0, 0}, {5, 0, 0}},
		{{0, 0, 0}},
	} {
		d := mle.LearnDirichlet(rows)
		sums, n := []float64{0, 0, 0}, 0.0
		for _, row := range rows {
			for k, x := range row {
				sums[k] += x
				n += x
			}
		}
		for k, a := range d.Alpha {
			want := mle.MostRows * sums[k] / max(n, 1)
			if sums[k] == 0 {
				want = mle.MostRows / 3. / (n + 1)
			}
			irtest.CloseTo(t, a, want, 1e-8)
		}
		if !d.Pooled {
			t.Errorf("%v is not pooled: %+v", rows, d)
		}
	}
}

// Rows of one state each have no least size: the climb ends near 1/10,000, with the shares of the
// rows as mean.
func TestPureRows(t *testing.T) {
	d := mle.LearnDirichlet([][]float64{{9, 0}, {0, 40}, {70, 0}})
	irtest.CloseTo(t, d.Alpha[0]/d.Size(), 2./3, 1e-3)
	irtest.CloseTo(t, d.LogML, 2*math.Log(2./3)+math.Log(1./3), 1e-3)
	if d.Pooled || d.Size() > 1./mle.MostRows || d.Size() < .01/mle.MostRows {
		t.Errorf("%+v", d)
	}
}

// The 71 groups of rats of Gelman et al., Bayesian Data Analysis, section 5.1: the maximum, and the
// shares of 0 of 20 and 4 of 14 shrunk by it.
func TestRats(t *testing.T) {
	path := filepath.Join(irtest.Shared(t), "data", "decide", "learning", "rats.csv")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Skip(err)
	}
	var rows [][]float64
	last := ""
	for _, line := range strings.Fields(string(text))[1:] { // such as g01,no,20
		field := strings.Split(line, ",")
		n, err := strconv.ParseFloat(field[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		if field[0] != last {
			last = field[0]
			rows = append(rows, []float64{0, 0})
		}
		state := 1
		if field[1] == "yes" {
			state = 0
		}
		rows[len(rows)-1][state] += n
	}
	d := mle.LearnDirichlet(rows)
	irtest.Close(t, d.Alpha, []float64{2.341614, 14.114804}, 1e-6)
	irtest.CloseTo(t, d.LogML, -730.33845452, 1e-8)
	irtest.CloseTo(t, d.Alpha[0]/(d.Size()+20), .064231, 1e-6)
	irtest.CloseTo(t, (d.Alpha[0]+4)/(d.Size()+14), .208219, 1e-6)
}

// No change of one pseudo-count of random rows raises the marginal likelihood, which is a product
// of ratios, computed here count by count.
func TestDirichletIsMaximal(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		k, rows := 2+rng.IntN(4), make([][]float64, 2+rng.IntN(20))
		for r := range rows {
			rows[r] = make([]float64, k)
			tilt := rng.ExpFloat64()
			for range rng.IntN(15) {
				rows[r][int(float64(k)*math.Pow(rng.Float64(), tilt))]++
			}
		}
		logML := func(alpha []float64) (sum float64) {
			size := 0.0
			for _, a := range alpha {
				size += a
			}
			for _, row := range rows {
				n := 0.0
				for s, x := range row {
					for i := range int(x) {
						sum += math.Log((alpha[s] + float64(i)) / (size + n))
						n++
					}
				}
			}
			return sum
		}
		d := mle.LearnDirichlet(rows)
		seen := func(s int) (any bool) {
			for _, row := range rows {
				any = any || row[s] > 0
			}
			return any
		}
		alpha := append([]float64(nil), d.Alpha...)
		for s := range alpha {
			if !seen(s) {
				alpha[s] = 0
			}
		}
		irtest.CloseTo(t, logML(alpha), d.LogML, 1e-8*math.Max(1, -d.LogML))
		scale := 1.0
		for s := range alpha {
			for _, by := range []float64{.9, .999, 1.001, 1.1} {
				other := append([]float64(nil), alpha...)
				if other[s] *= by; d.Pooled {
					scale = 1e-6 // the mean of the rows is that of an infinite size
				} else {
					scale = 1e-10
				}
				if d.Size() > 1./mle.MostRows && logML(other) > d.LogML+scale*math.Max(1, -d.LogML) {
					t.Errorf("seed %d: %v times %v raises the likelihood %v to %v: %+v", seed, alpha[s], by, d.LogML, logML(other), d)
				}
			}
		}
	}
}

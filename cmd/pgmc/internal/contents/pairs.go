package contents

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Dependence holds the pairs of columns that depend most on each other, the strongest first.
type Dependence struct {
	Rows    int    `json:"rows"`    // that were counted, drawn at random if there are more
	Columns int    `json:"columns"` // that were compared
	Pairs   []Pair `json:"pairs"`
}

// Pair says how much two columns depend on each other, in the rows that have both.
type Pair struct {
	A string `json:"a"`
	B string `json:"b"`
	// Information is the mutual information in nats, less its mean for independent columns, which
	// is half the degrees of freedom by the rows.
	Information float64 `json:"information"`
	// Share is Information by the smaller entropy of the two: 1 if one column determines the other.
	Share float64 `json:"share"`
	// Correlation is Pearson's, of two columns of numbers.
	Correlation *float64 `json:"correlation,omitempty"`
}

// Kind says how pairs take a column.
type Kind uint8

// The kinds.
const (
	Skipped Kind = iota
	States       // each value is one
	Grouped      // numbers in groups of about as many rows
	Common       // texts, with one group for all but the commonest
)

// Column is a column of a sample.
type Column struct {
	Name    string
	Kind    Kind
	Numeric bool
}

const (
	groups    = 5   // of numbers
	common    = 20  // groups of texts
	mostPairs = 10  // that are listed
	mostOf    = 300 // columns that are compared
	mostWork  = 5e7 // rows of pairs that are counted
	leastRows = 1000
	risk      = .05 // that a pair is listed of columns that are all independent
)

// Pairs compares the columns of the sample with each other. It returns nil if there are not two to
// compare. Pairs that may well be independent, by the G-test with Bonferroni's correction, are left
// out.
func (s *Sample) Pairs(columns []Column) *Dependence {
	var of []int
	for c, x := range columns {
		if x.Kind != Skipped && len(of) < mostOf {
			of = append(of, c)
		}
	}
	if len(of) < 2 || len(s.rows) < 2 {
		return nil
	}
	tests := len(of) * (len(of) - 1) / 2
	rows := s.rows[:min(len(s.rows), max(leastRows, mostWork/tests))]
	d := &Dependence{Rows: len(rows), Columns: len(of), Pairs: []Pair{}}
	var codes []coded
	for _, c := range of {
		codes = append(codes, s.code(rows, c, &columns[c]))
	}
	for i := range codes {
		for j := i + 1; j < len(codes); j++ {
			if p, ok := compare(&codes[i], &codes[j], tests); ok {
				d.Pairs = append(d.Pairs, p)
			}
		}
	}
	slices.SortStableFunc(d.Pairs, func(a, b Pair) int { return cmp.Compare(b.Information, a.Information) })
	d.Pairs = d.Pairs[:min(len(d.Pairs), mostPairs)]
	for i := range d.Pairs {
		d.Pairs[i].Correlation = s.correlation(rows, columns, d.Pairs[i].A, d.Pairs[i].B)
	}
	return d
}

// coded holds the groups of a column.
type coded struct {
	name string
	of   []int // by row: its group; -1 if missing
	n    int
}

// code divides the values of a column into groups.
func (s *Sample) code(rows [][]int32, c int, x *Column) coded {
	var ids []int32 // in the order of their first rows
	counts := make([]int, len(s.values[c])+1)
	for _, row := range rows {
		id := row[c]
		if id > 0 && counts[id] == 0 {
			ids = append(ids, id)
		}
		counts[id]++
	}
	group := func(i int) int { return i }
	switch {
	case x.Numeric:
		group = s.numberGroups(ids, c, counts, x.Kind)
	case x.Kind == Common:
		slices.SortStableFunc(ids, func(a, b int32) int { return cmp.Compare(counts[b], counts[a]) })
		group = func(i int) int { return min(i, common-1) }
	}
	of, out := make([]int, len(counts)), coded{name: x.Name}
	of[0] = -1
	for i, id := range ids {
		of[id] = group(i)
		out.n = max(out.n, of[id]+1)
	}
	for _, row := range rows {
		out.of = append(out.of, of[row[c]])
	}
	return out
}

// numberGroups sorts the values of a column by their numbers and returns the group of each: of equal
// numbers, or of those between quantiles.
func (s *Sample) numberGroups(ids []int32, c int, counts []int, kind Kind) func(i int) int {
	at, total := make([]float64, len(counts)), 0
	for _, id := range ids {
		at[id], _ = model.Number(s.values[c][id-1])
		total += counts[id]
	}
	slices.SortStableFunc(ids, func(a, b int32) int { return cmp.Compare(at[a], at[b]) })
	groupOf, group, below := make([]int, len(ids)), 0, 0
	for i, id := range ids {
		if i > 0 && at[id] != at[ids[i-1]] && (kind == States || below*groups >= (group+1)*total) {
			group++
		}
		groupOf[i] = group
		below += counts[id]
	}
	return func(i int) int { return groupOf[i] }
}

// compare returns what a pair of columns has in common; ok is false if they may be independent.
func compare(a, b *coded, tests int) (p Pair, ok bool) {
	joint, n := make([]float64, a.n*b.n), 0.0
	ofA, ofB := make([]float64, a.n), make([]float64, b.n)
	for row, x := range a.of {
		if y := b.of[row]; x >= 0 && y >= 0 {
			joint[x*b.n+y]++
			ofA[x]++
			ofB[y]++
			n++
		}
	}
	entropyA, kA := entropy(ofA, n)
	entropyB, kB := entropy(ofB, n)
	entropyAB, _ := entropy(joint, n)
	information, df := entropyA+entropyB-entropyAB, float64((kA-1)*(kB-1))
	if df == 0 || (distuv.ChiSquared{K: df}).Survival(2*n*information)*float64(tests) > risk {
		return p, false
	}
	p = Pair{A: a.name, B: b.name, Information: information - df/(2*n)}
	p.Share = p.Information / min(entropyA, entropyB)
	return p, p.Information > 0
}

// entropy returns the entropy of counts that sum to n, and how many are not zero.
func entropy(counts []float64, n float64) (h float64, some int) {
	for _, x := range counts {
		if x > 0 {
			h -= float64(x / n * pgmrt.Ln(x/n))
			some++
		}
	}
	return h, some
}

// correlation returns the correlation of two columns, nil unless both hold numbers.
func (s *Sample) correlation(rows [][]int32, columns []Column, nameA, nameB string) *float64 {
	of := func(name string) int { return slices.IndexFunc(columns, func(c Column) bool { return c.Name == name }) }
	a, b := of(nameA), of(nameB)
	if !columns[a].Numeric || !columns[b].Numeric {
		return nil
	}
	var xs, ys []float64
	for _, row := range rows {
		if row[a] > 0 && row[b] > 0 {
			x, _ := model.Number(s.values[a][row[a]-1])
			y, _ := model.Number(s.values[b][row[b]-1])
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	r := stat.Correlation(xs, ys, nil)
	return &r
}

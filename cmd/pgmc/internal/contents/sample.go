package contents

import (
	"math"
	"math/rand/v2"
	"strings"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Value counts the rows that have a value of a column.
type Value struct {
	Rows int
	id   int32 // in the sample: 1 + the index among the values of the column; 0 if it is not there
}

// The most rows and cells of a sample.
const (
	mostRows  = 20_000
	mostCells = 4 << 20
)

// Sample draws rows at random, each row with the same probability, from as many as are shown to it.
//
// Source: Li 1994, "Reservoir-sampling algorithms of time complexity O(n(1+log(N/n)))", algorithm L.
type Sample struct {
	seen   int // rows
	size   int
	rows   [][]int32  // by column: the id of the value, 0 if missing; without pointers, which cost time
	values [][]string // by column and id - 1
	next   int        // the number of the next row to keep
	w      float64    // the largest of size random numbers so far, in the terms of algorithm L
	rng    *rand.Rand
}

// NewSample returns a sample of rows with some columns. Its draws are always the same.
func NewSample(columns int) *Sample {
	size := max(1, min(mostRows, mostCells/max(1, columns)))
	return &Sample{size: size, values: make([][]string, columns), w: 1, rng: rand.New(rand.NewPCG(1, 2))}
}

// Row is called for each row. It returns the place for the values of the row, to pass to [Sample.Put],
// or nil if the row is not kept.
func (s *Sample) Row() []int32 {
	s.seen++
	if len(s.rows) < s.size {
		s.rows = append(s.rows, make([]int32, len(s.values)))
		if len(s.rows) == s.size {
			s.skip()
		}
		return s.rows[len(s.rows)-1]
	}
	if s.seen-1 < s.next {
		return nil
	}
	row := s.rows[s.rng.IntN(s.size)]
	clear(row)
	s.skip()
	return row
}

// Put sets the value of a column in a row.
func (s *Sample) Put(row []int32, column int, text string, v *Value) {
	if v.id == 0 {
		s.values[column] = append(s.values[column], strings.Clone(text))
		v.id = int32(len(s.values[column]))
	}
	row[column] = v.id
}

// skip chooses the next row to keep.
func (s *Sample) skip() {
	s.w *= math.Exp(pgmrt.Ln(1-s.rng.Float64()) / float64(s.size))
	far := math.Floor(pgmrt.Ln(1-s.rng.Float64()) / math.Log1p(-s.w))
	s.next = s.seen + int(min(far, math.MaxInt32))
}

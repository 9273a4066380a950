package data

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// InSequences returns the set with its rows as the slices of sequences. first holds the number of
// the first row of each sequence, in ascending order from 0. The rows must have no weights.
func (s *Set) InSequences(first []int) (*Set, error) {
	ordered := slices.IsSorted(first) && len(slices.Compact(slices.Clone(first))) == len(first)
	switch {
	case s.weights != nil:
		return nil, fmt.Errorf("the rows have weights; want none of the slices of a sequence")
	case len(first) == 0 && s.rows > 0, len(first) > 0 && (first[0] != 0 || first[len(first)-1] >= s.rows), !ordered:
		return nil, fmt.Errorf("sequences begin at the rows %v of %d; want ascending numbers from 0", first, s.rows)
	}
	out := *s
	out.first = append([]int{}, first...)
	return &out, nil
}

// InOneSequence returns the set with its rows as the slices of one sequence.
func (s *Set) InOneSequence() (*Set, error) {
	if s.rows == 0 {
		return s.InSequences(nil)
	}
	return s.InSequences([]int{0})
}

// Sequential reports whether the rows are slices of sequences.
func (s *Set) Sequential() bool { return s.first != nil }

// Sequences returns the number of sequences; 0 if the rows are independent.
func (s *Set) Sequences() int { return len(s.first) }

// Sequence returns the rows of a sequence: from first up to end.
func (s *Set) Sequence(i int) (first, end int) {
	if i+1 < len(s.first) {
		return s.first[i], s.first[i+1]
	}
	return s.first[i], s.rows
}

// Sequenced returns the set of the given sequences.
func (s *Set) Sequenced(list []int) *Set {
	var rows []int
	begin := []int{}
	for _, i := range list {
		begin = append(begin, len(rows))
		for row, end := s.Sequence(i); row < end; row++ {
			rows = append(rows, row)
		}
	}
	out := s.Subset(rows)
	out.first = begin
	return out
}

// Units returns the number of rows, or of sequences if the rows are slices, and their name: they
// are what splits and folds divide.
func (s *Set) Units() (n int, called string) {
	if s.Sequential() {
		return s.Sequences(), "sequences"
	}
	return s.rows, "rows"
}

// Take returns the set of the given units.
func (s *Set) Take(list []int) *Set {
	if s.Sequential() {
		return s.Sequenced(list)
	}
	return s.Subset(list)
}

// Independent returns the set with its rows as independent ones.
func (s *Set) Independent() *Set {
	out := *s
	out.first = nil
	return &out
}

// Steps returns the first slices of all sequences, and a row for each later slice: the values of
// the slice before, of variables called as [model.NameBefore] says, and then the values of the
// slice.
func (s *Set) Steps() (first, next *Set) {
	var begin, before, after []int
	for k := range s.first {
		row, end := s.Sequence(k)
		begin = append(begin, row)
		for row++; row < end; row++ {
			before, after = append(before, row-1), append(after, row)
		}
	}
	first, next = s.Subset(begin), s.Subset(before)
	next.Vars = nil
	for _, v := range s.Vars {
		v.Name, v.Before = model.NameBefore(v.Name), true
		next.Vars = append(next.Vars, v)
	}
	later := s.Subset(after)
	next.Vars, next.columns = append(next.Vars, s.Vars...), append(next.columns, later.columns...)
	if s.reals != nil {
		next.reals = append(next.reals, later.reals...)
	}
	return first, next
}

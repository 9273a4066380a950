package lda

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/learn/data"
)

// corpus holds the words of documents.
type corpus struct {
	vars      []data.Var
	document  int   // the column of the documents; negative if all rows are of one
	words     []int // the columns of the words
	rows      []row
	total     float64 // the weights of all rows together
	documents int
}

// row is a word of a document, weight times. It has a state, or Missing, for each column of words,
// not all missing.
type row struct {
	document int
	words    []int
	weight   float64
}

// corpus reads rows by the options for columns.
func (l *Options) corpus(s *data.Set) (*corpus, error) {
	c := &corpus{vars: s.Vars, document: -1, documents: 1}
	count, err := l.counts(s)
	if err != nil {
		return nil, err
	}
	for v := range s.Vars {
		if count == nil || s.Vars[v].Name != l.Count {
			c.words = append(c.words, v)
		}
	}
	switch {
	case l.Document != "":
		if c.document, err = data.Find(s.Vars, l.Document); err != nil {
			return nil, err
		}
	case len(c.words) > 1:
		c.document = c.words[0]
	}
	if c.document >= 0 {
		c.documents = len(s.Vars[c.document].States)
		c.words = slices.DeleteFunc(c.words, func(v int) bool { return v == c.document })
	}
	if len(c.words) == 0 {
		return nil, errors.New("the data has no column of words; want one")
	}
	states := make([]int, len(s.Vars))
	for i := range s.Len() {
		s.Row(i, states)
		x := row{weight: s.Weight(i)}
		if count != nil {
			x.weight *= count(i)
		}
		if c.document >= 0 {
			x.document = states[c.document]
		}
		known := false
		for _, v := range c.words {
			x.words = append(x.words, states[v])
			known = known || states[v] != data.Missing
		}
		if known && x.document != data.Missing && x.weight > 0 {
			c.rows = append(c.rows, x)
			c.total += x.weight
		}
	}
	if c.total == 0 {
		return nil, errors.New("no row has a word and its document; want at least one")
	}
	return c, nil
}

// counts returns the number of words of each row, from the column of counts, or one if the count is
// missing; nil if there is no such column.
func (l *Options) counts(s *data.Set) (func(row int) float64, error) {
	if l.Count == "" {
		return nil, nil
	}
	v, err := data.Find(s.Vars, l.Count)
	if err != nil {
		return nil, err
	}
	if l.Count == l.Document {
		return nil, fmt.Errorf("%q is both the column of documents and of counts; want two", l.Count)
	}
	number := make([]float64, len(s.Vars[v].States))
	for i, name := range s.Vars[v].States {
		number[i], err = strconv.ParseFloat(name, 64)
		if err != nil || !(number[i] >= 0 && number[i] <= math.MaxInt32) {
			return nil, fmt.Errorf("the column %q has the value %q; want counts, from 0 to %d", l.Count, name, math.MaxInt32)
		}
	}
	column := s.Column(v)
	return func(row int) float64 {
		if x := column.At(row); x != data.Missing {
			return number[x]
		}
		return 1
	}, nil
}

// bytes returns the memory of a sampler, in bytes.
func (c *corpus) bytes(topics int) float64 {
	words := 0.0
	for _, x := range c.rows {
		words += math.Ceil(x.weight)
	}
	cells := c.documents
	for _, v := range c.words {
		cells += len(c.vars[v].States)
	}
	return 32*words + 8*float64(cells)*float64(topics)
}

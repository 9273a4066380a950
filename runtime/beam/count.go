package beam

import (
	"bytes"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pgmc-go/pgmc/learn/counts"
	"github.com/pgmc-go/pgmc/learn/data"
)

// countsFile is the name of the file of counts in Options.Out.
const countsFile = "counts.csv"

// Count counts the joint states of families of variables, and of each variable, as pgmc count does.
// Families lists the names of each; [counts.ReadFamilies] reads them from a file. Options.Out gets
// the counts as counts.csv, and the summary has them too.
func Count(s sdk.Scope, o Options, families [][]string) (Result, error) {
	return transform(s.Scope("Count"), question{Options: o, Kind: counting, Families: families})
}

// counter counts the families of rows.
type counter struct {
	model    *model
	families []data.Family
	counts   *counts.Counts // of the element; nil before its first block
	states   []int
	values   []float64
}

func newCounter(m *model, lists [][]string) (asker, *block, error) {
	families, err := counts.Families(m.vars, lists)
	if err != nil {
		return nil, nil, err
	}
	c := &counter{model: m, families: families, states: make([]int, len(m.vars)), values: make([]float64, len(m.vars))}
	return c, newBlock(m, nil), c.begin()
}

// begin forgets all rows.
func (c *counter) begin() (err error) {
	c.counts, err = counts.OfRows(c.model.vars, c.families, 0)
	return err
}

func (c *counter) outputs() []data.Output { return nil }

func (c *counter) ask(b *block, _ *Part) error {
	for row := range b.rows {
		if !b.skip[row] {
			b.row(row, c.states, c.values)
			c.counts.Row(c.states, c.values, b.weight(row))
		}
	}
	return nil
}

func (c *counter) write(data.Sink, int) {}

// end moves the counts of the element to its part.
func (c *counter) end(p *Part) error {
	var text bytes.Buffer
	if err := c.counts.WriteCSV(&text); err != nil {
		return err
	}
	p.Counts = text.Bytes()
	return c.begin()
}

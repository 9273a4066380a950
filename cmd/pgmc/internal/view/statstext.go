package view

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
)

// print writes the report as text.
func (s *statsReport) print(w io.Writer) error {
	m, p := &s.Model, &s.Program
	t := &table.Table{}
	t.Add("model", m.Kind)
	variables := fmt.Sprint(m.Variables)
	if m.States > 0 {
		variables += fmt.Sprintf(" (%d states, %d to %d each)", m.States, m.MinStates, m.MaxStates)
	}
	if m.Reals > 0 {
		variables += fmt.Sprintf(", %d of them real", m.Reals)
	}
	t.Add("variables", variables)
	t.Add("factors", fmt.Sprint(m.Factors))
	parameters := fmt.Sprint(m.Parameters)
	if m.FreeParameters > 0 {
		parameters += fmt.Sprintf(" (%d free)", m.FreeParameters)
	}
	t.Add("parameters", parameters+fmt.Sprintf(", %.1f %% zeros, %.1f %% ones", 100*m.Zeros, 100*m.Ones))
	if m.Energies != nil {
		t.Add("energies", m.Energies.String())
	}
	t.Add("method", s.Method.String())
	if x := s.Strong; x != nil {
		t.Add("strong tree", fmt.Sprintf("%d real variables in %d components, at most %d in a separator and %s joint states beside them; %s numbers, the largest bucket %s",
			x.Buckets, x.Components, x.Separator, compiler.Count(x.States), compiler.Count(x.Numbers), compiler.Count(x.Largest)))
	}
	if s.Slices != nil {
		s.Slices.add(t)
	}
	t.Add("cliques", s.Cliques.String())
	t.Add("table entries", compiler.Count(p.TableEntries))
	t.Add("products", fmt.Sprintf("%s in %s steps", compiler.Count(p.Products), compiler.Count(p.Steps)))
	if c := s.Circuit; c != nil {
		t.Add("circuit", fmt.Sprintf("%d operations for P(evidence), %d nodes, %d edges", c.Ops, c.Nodes, c.Edges))
	}
	t.Add("memory", fmt.Sprintf("work %s, data %s", compiler.Bytes(p.WorkBytes), compiler.Bytes(p.DataBytes)))
	how := "predicted"
	if !p.Predicted {
		how = fmt.Sprintf("made, %d blocks", p.Blocks)
	}
	t.Add("package", fmt.Sprintf("source %s, code about %s, build about %.1f s (%s)", compiler.Bytes(p.SourceBytes), compiler.Bytes(p.TextBytes), p.BuildSeconds, how))
	t.Add("answers", p.Claim)
	if s.Peak > 0 {
		t.Add("peak", compiler.Bytes(float64(s.Peak))+" of memory for pgmc itself")
	}
	if s.Refused != "" {
		t.Add("compile", "refuses: "+s.Refused)
	}
	text := t.String() + "\n" + s.orderTable() + "\n" + s.queryTable()
	if len(s.Blocks) > 0 {
		text += "\n" + s.blockTable()
	}
	_, err := io.WriteString(w, text)
	return err
}

// String returns the number of cliques and their sizes, in a few ranges, on one line.
func (c *cliqueStats) String() string {
	if c.Number == 0 {
		return "not counted"
	}
	var parts []string
	left := c.Sizes
	for _, most := range []float64{10, 100, 1000, 1e4, 1e6, 1e9, math.Inf(1)} {
		n, up := 0, most
		for ; len(left) > 0 && left[0].UpTo <= most; left = left[1:] {
			n, up = n+left[0].Cliques, min(most, left[0].UpTo)
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d up to %s", n, compiler.Count(up)))
		}
	}
	return fmt.Sprintf("%d, the largest of %s joint states, the median of %s (%s)", c.Number, compiler.Count(c.Largest), compiler.Count(c.Median), strings.Join(parts, ", "))
}

func (s *statsReport) orderTable() string {
	t := &table.Table{}
	t.Add("predicted by order", "width", "largest clique", "bucket entries", "table entries", "products", "operations", "memory", "query ns", "build s", "source")
	for _, o := range s.Orders {
		t.Add(o.Order, fmt.Sprint(o.Width), compiler.Count(o.LargestClique), compiler.Count(o.BucketEntries), compiler.Count(o.TableEntries), compiler.Count(o.Products), compiler.Count(o.Operations),
			compiler.Bytes(o.Bytes), compiler.Count(o.QueryNS), fmt.Sprintf("%.1f", o.BuildSeconds), compiler.Bytes(o.SourceBytes))
	}
	return t.String()
}

func (s *statsReport) queryTable() string {
	t := &table.Table{}
	t.Add("query", "predicted ns", "products", "memory alone")
	for _, q := range s.Queries {
		t.Add(q.Name, compiler.Count(q.NS), compiler.Count(q.Products), compiler.Bytes(q.Bytes))
	}
	return t.String()
}

func (s *statsReport) blockTable() string {
	t := &table.Table{}
	t.Add("block", "back-end", "steps", "operations", "ns")
	for _, b := range s.Blocks {
		t.Add(b.Name, b.Backend, fmt.Sprint(b.Steps), fmt.Sprint(b.Operations), fmt.Sprintf("%.0f", b.NS))
	}
	return t.String()
}

package ir

import (
	"fmt"
	"io"
	"strings"
)

// Print writes p as text for people: variables, factors and queries.
func (p *Problem) Print(w io.Writer) error {
	b, m := &strings.Builder{}, p.Model
	fmt.Fprintf(b, "problem %q: a %v of %d variables and %d factors\n", m.Name, m.Kind, len(m.Vars), len(m.Factors))
	for _, v := range m.Vars {
		fmt.Fprintf(b, "v%d %q %v\n", v.ID, v.Name, v.Domain)
	}
	for i, f := range m.Factors {
		fmt.Fprintf(b, "f%d %T over v%d: %s\n", i, f.Dist, f.Scope, m.FactorName(f))
	}
	for _, q := range p.Queries {
		fmt.Fprintf(b, "query %s: %s", q.Word(), q.Name)
		if q.Factors != nil {
			fmt.Fprintf(b, " from f%d", q.Factors)
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

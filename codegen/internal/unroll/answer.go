package unroll

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
)

// Answers are normalised after everything else, in memory. A test for zero in the middle of
// expressions would make the Go compiler keep all live values across it, which cost half the time
// of a downward pass.

// shortRow is the length up to which an answer is normalised inline. The runtime normalises longer
// ones.
const shortRow = 8

// mostNumbers is the most numbers that one method normalises. The memory that the Go compiler needs
// grows with the length of methods.
const mostNumbers = 512

// inMethods splits answers into those that one method normalises each.
func inMethods(p *ir.Program, spans []ir.SpanID) (list [][]ir.SpanID) {
	n := 0
	for _, id := range spans {
		if n += p.Spans[id].Len; n > mostNumbers || len(list) == 0 {
			list, n = append(list, nil), p.Spans[id].Len
		}
		list[len(list)-1] = append(list[len(list)-1], id)
	}
	return list
}

// normalizeAnswers returns the text that normalises spans. Sums from 2^-1000 to 2^1000 have a
// reciprocal without loss. The runtime handles all others, including zero.
func normalizeAnswers(out *backend.Output, spans []ir.SpanID, sums Sums) string {
	b := &strings.Builder{}
	for _, id := range spans {
		s := &out.Program.Spans[id]
		b.WriteString(backend.Caption(out.Program, id))
		call := fmt.Sprintf(out.Runtime("Normalize")+"(s[%d:%d])", s.Offset, s.Offset+s.Len)
		if s.Len > shortRow && sums == nil {
			fmt.Fprintln(b, call)
			continue
		}
		var terms, scaled []string
		for i := s.Offset; i < s.Offset+s.Len; i++ {
			terms = append(terms, fmt.Sprintf("s[%d]", i))
			scaled = append(scaled, fmt.Sprintf("s[%d] *= r", i))
		}
		total := strings.Join(terms, " + ")
		if sums != nil {
			total = sums.Total(terms)
		}
		fmt.Fprintf(b, "if sum := %s; sum >= 0x1p-1000 && sum <= 0x1p1000 {\nr := 1 / sum\n%s\n} else {\n%s\n}\n",
			total, strings.Join(scaled, "\n"), call)
	}
	return b.String()
}

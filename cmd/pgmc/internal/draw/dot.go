package draw

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

var dotShapes = [...]string{Oval: "ellipse", Round: "box", Box: "box", Circle: "circle"}

// WriteDOT writes g in the language of Graphviz.
func (g *Graph) WriteDOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	keyword, arrow := "digraph", "->"
	if g.Kind != Directed {
		keyword, arrow = "graph", "--"
	}
	fmt.Fprintf(b, "%s %s {\n", keyword, dotString(visible(g.Name, maxLine)))
	fmt.Fprintf(b, "\tnode [fontname=\"Helvetica\", fontsize=%g, style=filled];\n", fontSize)
	for i, n := range g.Nodes {
		lines := make([]string, len(n.Lines))
		for j, line := range n.Lines {
			lines[j] = dotEscape(visible(line, maxLine))
		}
		for _, bar := range n.Bars {
			lines = append(lines, dotEscape(visible(bar.Label, maxLabel)+" "+bar.percent()))
		}
		c := colours[n.Tone]
		fmt.Fprintf(b, "\tn%d [label=\"%s\", shape=%s, fillcolor=%q, color=%q", i, strings.Join(lines, `\n`), dotShapes[n.Shape], c.fill, c.line)
		if n.Note != "" {
			fmt.Fprintf(b, ", tooltip=%s", dotString(visible(n.Note, maxNote)))
		}
		if n.Shape == Round {
			b.WriteString(", style=\"filled,rounded\"")
		}
		if n.Bold {
			b.WriteString(", penwidth=2")
		}
		b.WriteString("];\n")
	}
	g.writeClusters(b)
	for i, e := range g.Edges {
		fmt.Fprintf(b, "\tn%d %s n%d%s;\n", e.From, arrow, e.To, g.dotAttributes(i))
	}
	b.WriteString("}\n")
	return b.Flush()
}

// writeClusters writes the slices as clusters, which Graphviz draws in frames.
func (g *Graph) writeClusters(b *bufio.Writer) {
	for i := range g.Slices {
		fmt.Fprintf(b, "\tsubgraph cluster%d {\n\t\tlabel=%s;\n", i, dotString(g.title(i)))
		n := len(g.Nodes) / len(g.Slices)
		for k := i * n; k < i*n+n; k++ {
			fmt.Fprintf(b, "\t\tn%d;\n", k)
		}
		b.WriteString("\t}\n")
	}
}

// dotAttributes returns the attributes of an edge in brackets, or "" for a plain one. Edges between
// slices do not move their ends, so that the slices are side by side.
func (g *Graph) dotAttributes(i int) string {
	e := &g.Edges[i]
	var list []string
	if n := len(g.Nodes) / max(1, len(g.Slices)); e.From/n != e.To/n {
		list = append(list, "constraint=false")
	}
	if e.Style != Plain {
		list = append(list, fmt.Sprintf("color=%q", styles[e.Style].colour))
	}
	if styles[e.Style].dashes != "" {
		list = append(list, "style=dashed")
	}
	if e.Width != 0 {
		list = append(list, "penwidth="+number(e.Width))
	}
	if e.Note != "" {
		list = append(list, "tooltip="+dotString(visible(e.Note, maxNote)))
	}
	if list == nil {
		return ""
	}
	return " [" + strings.Join(list, ", ") + "]"
}

func dotString(s string) string { return `"` + dotEscape(s) + `"` }

// dotEscape escapes the characters with a meaning within Graphviz quotes: quotes, backslashes, and
// the ampersand of XML references.
var dotEscape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `&`, `&amp;`).Replace

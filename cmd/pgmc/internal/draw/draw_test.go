package draw

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// randomGraph returns a random graph of n nodes of all shapes and sizes, in one or several
// components. Directed graphs have cycles.
func randomGraph(rng *rand.Rand, n int, kind Kind) *Graph {
	g := &Graph{Name: "random", Kind: kind}
	for i := range n {
		node := Node{Shape: Shape(rng.IntN(4)), Lines: []string{strings.Repeat("w", rng.IntN(12)) + fmt.Sprint(i)}}
		if node.Shape == Round || node.Shape == Box {
			node.Lines = append(node.Lines, slices.Repeat([]string{"more"}, rng.IntN(3))...)
		}
		if node.Shape == Circle {
			node.Lines = []string{"+"}
		}
		g.Nodes = append(g.Nodes, node)
	}
	order := rng.Perm(n)
	for i := range order {
		for range rng.IntN(4) {
			if i > 0 {
				e := Edge{From: order[max(0, i-1-rng.IntN(8))], To: order[i]}
				if kind == Directed && rng.IntN(8) == 0 {
					e = Edge{From: e.To, To: e.From}
				}
				g.Edges = append(g.Edges, e)
			}
		}
	}
	return g
}

// curveAt returns a point of a cubic Bézier curve.
func curveAt(a, b, c, d point, t float64) point {
	s := 1 - t
	mix := func(a, b, c, d float64) float64 { return s*s*s*a + 3*s*s*t*b + 3*s*t*t*c + t*t*t*d }
	return point{mix(a.x, b.x, c.x, d.x), mix(a.y, b.y, c.y, d.y)}
}

// trace returns points along an edge as [Graph.curve] draws it.
func trace(path []point) []point {
	var out []point
	for i := 1; i < len(path); i++ {
		from, to := path[i-1], path[i]
		b, c := from, to
		if i%2 == 0 {
			half := (to.y - from.y) / 2
			b = point{from.x + half*slope(path[i-2], from), from.y + half}
			c = point{to.x - half*slope(to, path[i+1]), to.y - half}
		}
		for k := range 17 {
			out = append(out, curveAt(from, b, c, to, float64(k)/16))
		}
	}
	return out
}

// TestLayout checks pictures of random graphs: all nodes are within the picture, no two nodes
// overlap, and edges join the outlines of their ends, lead downwards, and keep clear of all other
// nodes.
func TestLayout(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		g := randomGraph(rng, 1+rng.IntN(60), Kind(seed%3))
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { checkLayout(t, g) })
	}
}

// checkLayout returns the layout of g.
func checkLayout(t *testing.T, g *Graph) *picture {
	t.Helper()
	p, err := g.layout()
	if err != nil {
		t.Fatal(err)
	}
	for i := range g.Nodes {
		a, s := p.at[i], p.size[i]
		if a.x-s.x/2 < margin-1e-9 || a.y-s.y/2 < margin-1e-9 || a.x+s.x/2 > p.width-margin+1e-9 || a.y+s.y/2 > p.height-margin+1e-9 {
			t.Fatalf("node %d at %v, %v sticks out of %g x %g", i, a, s, p.width, p.height)
		}
		for j := range i {
			if b, r := p.at[j], p.size[j]; math.Abs(a.x-b.x) < (s.x+r.x)/2+bendGap && math.Abs(a.y-b.y) < (s.y+r.y)/2+bendGap {
				t.Fatalf("nodes %d and %d overlap or nearly do", i, j)
			}
		}
	}
	for i, path := range p.edges {
		checkEdge(t, g, p, i, path)
	}
	return p
}

// TestFold checks that the picture of a wide network, most of whose nodes are roots and leaves, is
// at most five times as wide as high, and that a layer below foldWidth stays one. Edges that pass
// through a layer take room in it, so that the picture does not reach foldAspect.
func TestFold(t *testing.T) {
	for _, c := range []struct {
		name         string
		hubs, leaves int
		folds        bool
	}{{"narrow", 2, 6, false}, {"wide", 20, 12, true}} {
		t.Run(c.name, func(t *testing.T) {
			g := &Graph{}
			for i := range c.hubs * (2 + c.leaves) {
				g.Nodes = append(g.Nodes, Node{Lines: []string{fmt.Sprintf("variable_%d", i)}})
			}
			for hub := range c.hubs {
				root, first := c.hubs+hub, 2*c.hubs+hub*c.leaves
				g.Edges = append(g.Edges, Edge{From: root, To: hub})
				for leaf := range c.leaves {
					g.Edges = append(g.Edges, Edge{From: hub, To: first + leaf})
				}
				if hub > 0 {
					g.Edges = append(g.Edges, Edge{From: root - 1, To: hub})
				}
			}
			p := checkLayout(t, g)
			rows := map[float64]bool{}
			for _, at := range p.at {
				rows[at.y] = true
			}
			if c.folds && p.width > 5*p.height || (len(rows) > 3) != c.folds {
				t.Errorf("%g x %g pixels in %d rows", p.width, p.height, len(rows))
			}
		})
	}
}

func checkEdge(t *testing.T, g *Graph, p *picture, edge int, path []point) {
	t.Helper()
	from, to := g.Edges[edge].From, g.Edges[edge].To
	if p.at[from].y > p.at[to].y && g.Kind != Rooted {
		from, to = to, from
	}
	if down(path) < 0 { // a reversed edge leads from its lower end to its upper one
		path = slices.Clone(path)
		slices.Reverse(path)
	}
	onOutline(t, g, p, from, path[0], 1)
	onOutline(t, g, p, to, path[len(path)-1], -1)
	last := math.Inf(-1)
	for _, q := range trace(path) {
		if q.y < last-1e-9 {
			t.Fatalf("edge %d leads upwards at %v", edge, q)
		}
		last = q.y
		for i := range g.Nodes {
			inside := math.Abs(q.x-p.at[i].x) < p.size[i].x/2 && math.Abs(q.y-p.at[i].y) < p.size[i].y/2
			if inside && i != from && i != to {
				t.Fatalf("edge %d from %d to %d meets node %d", edge, from, to, i)
			}
		}
	}
}

// onOutline checks that a point is on the outline of a node, on its lower side (1) or upper side
// (-1).
func onOutline(t *testing.T, g *Graph, p *picture, node int, at point, side float64) {
	t.Helper()
	dx, dy := (at.x-p.at[node].x)/(p.size[node].x/2), side*(at.y-p.at[node].y)/(p.size[node].y/2)
	off := dx*dx + dy*dy - 1
	if s := g.Nodes[node].Shape; s == Box || s == Round {
		off = max(dy-1, math.Abs(dx)-1)
	}
	if dy < 0 || math.Abs(off) > 1e-9 {
		t.Fatalf("an edge ends at %v, which is not on the outline of node %d at %v", at, node, p.at[node])
	}
}

// TestLayers checks graphs whose best layers are known.
func TestLayers(t *testing.T) {
	for _, c := range []struct {
		name  string
		n     int
		edges []Edge
		want  []int
	}{
		{"chain", 3, []Edge{{From: 0, To: 1}, {From: 1, To: 2}}, []int{0, 1, 2}},
		{"late root", 4, []Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 3, To: 2}}, []int{0, 1, 2, 1}},
		{"late chain of roots", 6, []Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 3}, {From: 4, To: 5}, {From: 5, To: 3}}, []int{0, 1, 2, 3, 1, 2}},
		{"early leaf", 4, []Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 0, To: 3}}, []int{0, 1, 2, 1}},
	} {
		l := &layered{vs: make([]vertex, c.n)}
		l.stack(c.edges)
		var got []int
		for _, v := range l.vs[:c.n] {
			got = append(got, v.layer)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: found layers %v; want %v", c.name, got, c.want)
		}
	}
}

// TestCycles checks that one edge of a cycle is reversed, and so leads upwards, and none without a
// cycle.
func TestCycles(t *testing.T) {
	for _, c := range []struct {
		edges []Edge
		want  []float64
	}{
		{[]Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 0}}, []float64{1, 1, -1}},
		{[]Edge{{From: 0, To: 1}, {From: 1, To: 0}}, []float64{1, -1}},
		{[]Edge{{From: 2, To: 1}, {From: 1, To: 0}, {From: 2, To: 0}}, []float64{1, 1, 1}},
		{[]Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 1, To: 2}, {From: 2, To: 1}}, []float64{1, 1, 1, -1}},
	} {
		g := &Graph{Nodes: make([]Node, 3), Edges: c.edges}
		p, err := g.layout()
		if err != nil {
			t.Fatal(err)
		}
		for i, path := range p.edges {
			if ends := p.at[c.edges[i].To].y - p.at[c.edges[i].From].y; down(path) != c.want[i] || ends*c.want[i] <= 0 {
				t.Errorf("%v: edge %d leads %g pixels down; want the sign of %g", c.edges, i, ends, c.want[i])
			}
		}
	}
}

// TestCrossings checks graphs whose least number of crossings is known, with edges in an order that
// invites more.
func TestCrossings(t *testing.T) {
	for _, c := range []struct {
		name  string
		n     int
		edges []Edge
		want  int
	}{
		{"two crossed pairs", 4, []Edge{{From: 0, To: 3}, {From: 1, To: 2}}, 0},
		{"tree", 10, []Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 0, To: 3}, {From: 3, To: 4}, {From: 1, To: 5}, {From: 2, To: 6}, {From: 1, To: 7}, {From: 3, To: 8}, {From: 2, To: 9}}, 0},
		{"ring", 6, []Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 1, To: 4}, {From: 2, To: 3}, {From: 4, To: 5}, {From: 3, To: 5}}, 0},
		{"all of two with all of two", 4, []Edge{{From: 0, To: 2}, {From: 0, To: 3}, {From: 1, To: 2}, {From: 1, To: 3}}, 1},
		{"all of three with all of three", 6, []Edge{{From: 0, To: 3}, {From: 0, To: 4}, {From: 0, To: 5}, {From: 1, To: 3}, {From: 1, To: 4}, {From: 1, To: 5}, {From: 2, To: 3}, {From: 2, To: 4}, {From: 2, To: 5}}, 9},
	} {
		l := &layered{vs: make([]vertex, c.n)}
		l.stack(c.edges)
		if err := l.divide(c.n, c.edges); err != nil {
			t.Fatal(err)
		}
		if got := l.crossings(); got != c.want {
			t.Errorf("%s: found %d crossings; want %d", c.name, got, c.want)
		}
	}
}

// TestInversions compares with a count of all pairs.
func TestInversions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		limit := 1 + rng.IntN(9)
		list := make([]int, rng.IntN(20))
		for i := range list {
			list[i] = rng.IntN(limit)
		}
		want := 0
		for i, x := range list {
			for _, y := range list[:i] {
				if y > x {
					want++
				}
			}
		}
		if got := inversions(list, limit); got != want {
			t.Fatalf("%v: found %d; want %d", list, got, want)
		}
	}
}

// TestRegress checks that no small move of a vertex, or of several at their least distances,
// improves a layer.
func TestRegress(t *testing.T) {
	cost := func(l *layered, layer []int) float64 {
		sum := 0.0
		for _, v := range layer {
			for _, u := range l.vs[v].up {
				sum += l.weight(u, v) * (l.vs[u].x - l.vs[v].x) * (l.vs[u].x - l.vs[v].x)
			}
		}
		return sum
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for range 100 {
		n := 2 + rng.IntN(8)
		l := &layered{vs: make([]vertex, 2*n)}
		var layer []int
		for i := range n {
			l.vs[i] = vertex{x: 300 * rng.Float64(), bend: rng.IntN(2) == 0}
			l.vs[n+i] = vertex{w: 40 * rng.Float64(), up: []int{i}, bend: rng.IntN(2) == 0}
			layer = append(layer, n+i)
		}
		l.regress(layer)
		best := cost(l, layer)
		for i := range n {
			for k := i; k < n; k++ { // move vertices i to k, if they can move
				for _, step := range []float64{-.01, .01} {
					free := true
					for j := 1; j < n; j++ {
						gap := l.vs[layer[j]].x - l.vs[layer[j-1]].x - l.apart(layer[j-1], layer[j])
						if gap < -1e-9 {
							t.Fatalf("vertices %d and %d are closer than they may be, by %g", j-1, j, -gap)
						}
						free = free && (gap > .02 || !(step < 0 && j == i || step > 0 && j == k+1))
					}
					if !free {
						continue
					}
					for j := i; j <= k; j++ {
						l.vs[layer[j]].x += step
					}
					if moved := cost(l, layer); moved < best-1e-9 {
						t.Fatalf("moving the vertices from %d to %d by %g makes %g of %g", i, k, step, moved, best)
					}
					for j := i; j <= k; j++ {
						l.vs[layer[j]].x -= step
					}
				}
			}
		}
	}
}

// hostile holds names that a hostile model may have.
var hostile = []string{
	`"`, `\`, `\"`, `\N`, `a\nb`, "a\nb", "a\r\x00\x1b[2J", "</text><script>alert(1)</script>", "]]>", "<!--", "&lt;", "&#0;", "'", `" onload="x`,
	"\xff\xfe", "\ufffe\uffff", "\u202eabc", "日本語", "é", "", " ", "<b>x</b>", "{a|b}", strings.Repeat("x", 1000),
}

func hostileGraph(kind Kind) *Graph {
	g := &Graph{Name: strings.Join(hostile, ""), Kind: kind}
	for i, name := range hostile {
		g.Nodes = append(g.Nodes, Node{Lines: []string{name}, Note: name, Shape: Shape(i % 4), Tone: Tone(i % 4), Bold: i%5 == 0})
		if i > 0 {
			g.Edges = append(g.Edges, Edge{From: i / 2, To: i})
		}
	}
	return g
}

// TestSVG parses a picture and checks that it holds all labels, as text.
func TestSVG(t *testing.T) {
	for kind := range Kind(3) {
		var b bytes.Buffer
		if err := hostileGraph(kind).WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		allowed := []string{"svg", "title", "rect", "g", "path", "ellipse", "text"}
		attributes := "xmlns width height viewBox fill stroke stroke-width stroke-dasharray d font-family font-size text-anchor x y rx ry cx cy"
		var labels []string
		element := ""
		for d := xml.NewDecoder(&b); ; {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			switch token := token.(type) {
			case xml.StartElement:
				element = token.Name.Local
				if !slices.Contains(allowed, element) {
					t.Errorf("found the element %s", element)
				}
				if element == "text" {
					labels = append(labels, "")
				}
				for _, a := range token.Attr {
					if !slices.Contains(strings.Fields(attributes), a.Name.Local) || strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
						t.Errorf("found the attribute %s=%q of %s", a.Name.Local, a.Value, element)
					}
				}
			case xml.CharData:
				if element == "text" {
					labels[len(labels)-1] += string(token)
				}
			case xml.EndElement:
				element = ""
			}
		}
		for i, name := range hostile {
			if i >= len(labels) || labels[i] != visible(name, maxLine) {
				t.Errorf("kind %d: label %d is not %q: %q", kind, i, visible(name, maxLine), labels)
			}
		}
	}
}

func TestVisible(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain", "plain"}, {"a b", "a b"}, {"a\nb", `a\x0ab`}, {"\x00\x7f", `\x00\x7f`}, {"\xffz", `\xffz`}, {"\ufffd", "\ufffd"},
		{"\u0085", `\u0085`}, {"\u202e", `\u202e`}, {"\uffff", `\uffff`}, {"\U000e0001", `\ue0001`}, {`a\b`, `a\b`}, {"日本", "日本"},
		{"0123456789", "0123456789"}, {"0123456789a", "0123456789…"}, {"", ""},
	} {
		if got := visible(c.in, 10); got != c.want {
			t.Errorf("%q: found %q; want %q", c.in, got, c.want)
		}
	}
}

func TestDOT(t *testing.T) {
	g := &Graph{Name: `a"b`, Nodes: []Node{{Lines: []string{`x\n`, `"&"`}, Note: "n", Bold: true}, {Lines: []string{"y\n"}, Shape: Round}}, Edges: []Edge{{From: 0, To: 1}}}
	const want = `digraph "a\"b" {
	node [fontname="Helvetica", fontsize=13, style=filled];
	n0 [label="x\\n\n\"&amp;\"", shape=ellipse, fillcolor="#e7effb", color="#4472b0", tooltip="n", penwidth=2];
	n1 [label="y\\x0a", shape=box, fillcolor="#e7effb", color="#4472b0", style="filled,rounded"];
	n0 -> n1;
}
`
	var b bytes.Buffer
	if err := g.WriteDOT(&b); err != nil || b.String() != want {
		t.Errorf("%v; found\n%swant\n%s", err, b.String(), want)
	}
}

// TestClusters writes two slices, with an edge between them that does not move them.
func TestClusters(t *testing.T) {
	g := &Graph{Name: "s", Slices: []string{"0", `"`}, Nodes: make([]Node, 2), Edges: []Edge{{From: 0, To: 1, Style: Added}}}
	const want = `
	subgraph cluster0 {
		label="slice 0";
		n0;
	}
	subgraph cluster1 {
		label="slice \"";
		n1;
	}
	n0 -> n1 [constraint=false, color="#2e8b57"];
}
`
	var b bytes.Buffer
	if err := g.WriteDOT(&b); err != nil || !strings.HasSuffix(b.String(), want) {
		t.Errorf("%v; found\n%swant the end\n%s", err, b.String(), want)
	}
}

// TestGraphviz checks that Graphviz reads hostile names and draws them.
func TestGraphviz(t *testing.T) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("no dot here")
	}
	for kind := range Kind(3) {
		var b, stderr bytes.Buffer
		if err := hostileGraph(kind).WriteDOT(&b); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(dot, "-Tsvg")
		cmd.Stdin, cmd.Stderr = &b, &stderr
		out, err := cmd.Output()
		if err != nil || strings.Contains(stderr.String(), "syntax") {
			t.Fatalf("dot: %v\n%s", err, &stderr)
		}
		var picture struct {
			Nodes []struct {
				Text []string `xml:"a>text"`
			} `xml:"g>g>g"`
		}
		if err := xml.Unmarshal(out, &picture); err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, n := range picture.Nodes {
			found[strings.ReplaceAll(strings.Join(n.Text, "\n"), "\u00a0", " ")] = true
		}
		for _, name := range hostile {
			if name != "" && !found[visible(name, maxLine)] { // Graphviz writes nothing for an empty label
				t.Errorf("no node is labelled %q", visible(name, maxLine))
			}
		}
	}
}

// TestDeterministic checks that two drawings of a graph have the same bytes.
func TestDeterministic(t *testing.T) {
	draw := func() string {
		var b bytes.Buffer
		if err := randomGraph(rand.New(rand.NewPCG(4, 4)), 80, Directed).WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if first, again := draw(), draw(); first != again {
		t.Error("two drawings of one graph differ")
	}
}

// TestEmpty checks the layout of graphs of no node and of single nodes.
func TestEmpty(t *testing.T) {
	for n := range 3 {
		g := &Graph{Nodes: make([]Node, n)}
		p, err := g.layout()
		if err != nil || p.width < 2*margin || p.height < 2*margin || math.IsNaN(p.width+p.height) {
			t.Errorf("%d nodes: %v, %g x %g", n, err, p.width, p.height)
		}
	}
}

// TestTooLarge checks that edges through too many layers are refused.
func TestTooLarge(t *testing.T) {
	g := &Graph{Nodes: make([]Node, 1000)}
	for i := 1; i < len(g.Nodes); i++ {
		g.Edges = append(g.Edges, Edge{From: i - 1, To: i}, Edge{From: 0, To: i})
	}
	const want = "the edges of the drawing would need 498501 bends; want at most 200000; write DOT and let Graphviz draw it"
	if err := g.WriteSVG(io.Discard); err == nil || err.Error() != want {
		t.Errorf("found %v; want %s", err, want)
	}
}

// sequence is a graph of three slices of three nodes, of which b and c are side by side.
func sequence() *Graph {
	g := &Graph{Name: "<s>", Slices: []string{"0", "<1>", "2"}, Heavy: 2}
	for i := range 9 {
		g.Nodes = append(g.Nodes, Node{Lines: []string{"abc"[i%3 : i%3+1]}})
	}
	for _, e := range [][2]int{{0, 1}, {0, 3}, {3, 4}, {3, 5}, {3, 6}, {4, 8}, {5, 8}, {6, 7}, {6, 8}} {
		g.Edges = append(g.Edges, Edge{From: e[0], To: e[1]})
	}
	return g
}

// TestSlices draws three slices: an edge between slices meets the side of a node, or if another
// node is there, its top.
func TestSlices(t *testing.T) {
	g := sequence()
	g.Edges[1] = Edge{From: 0, To: 3, Style: Turned, Width: 4.8, Note: "note"}
	text, err := g.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]int{
		"<ellipse ": 9, "slice 2</text>": 1, "slice &lt;1&gt;</text>": 1, `stroke-width="2.4"`: 1,
		"C": 12, // curves: five within slices, four between, and bends of two at c and of one at b
		` stroke="#c98a12" stroke-width="4.8"><title>note</title></path>`: 1,
	} {
		if got := strings.Count(text, part); got != want {
			t.Errorf("found %q %d times; want %d: %s", part, got, want, text)
		}
	}
	heads := text[strings.LastIndex(text[:strings.Index(text, "<g font-family")], "<g fill="):]
	heads = heads[:strings.Index(heads, "</g>")]
	for head, want := range map[string]int{"v7L": 1, "v14L": 1, "h7L": 7} {
		if got := strings.Count(heads, head); got != want {
			t.Errorf("found %d heads with %s; want %d: %s", got, head, want, heads)
		}
	}
	if again, err := g.SVG(); err != nil || again != text {
		t.Errorf("the second picture is another one: %v", err)
	}
}

// TestLanes checks for random graphs that edges between slices pass through no node beside theirs
// and below the titles, and that all slices have the layout and the sizes of the largest nodes.
func TestLanes(t *testing.T) {
	const n = 12
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 0))
		g := &Graph{Slices: []string{"0", "1"}}
		for v := range 2 * n {
			g.Nodes = append(g.Nodes, Node{Lines: make([]string, 1+rng.IntN(6)), Shape: Box})
			if v%n > 0 && rng.IntN(3) > 0 {
				g.Edges = append(g.Edges, Edge{From: v - 1 - rng.IntN(v%n), To: v})
			}
			if v >= n {
				g.Edges = append(g.Edges, Edge{From: rng.IntN(n), To: v})
			}
		}
		p, err := g.layout()
		if err != nil {
			t.Fatal(err)
		}
		for v := range n {
			moved := point{p.at[n+v].x - p.frames[1].x + p.frames[0].x, p.at[n+v].y}
			if p.size[v] != p.size[n+v] || math.Abs(moved.x-p.at[v].x) > 1e-9 || moved.y != p.at[v].y || p.size[v].y < max(g.Nodes[v].size().y, g.Nodes[n+v].size().y) {
				t.Errorf("seed %d: node %d of slice 1 is at %v and has the size %v; of slice 0 %v and %v", seed, v, moved, p.size[n+v], p.at[v], p.size[v])
			}
		}
		for i, e := range g.Edges {
			if p.edges[i] == nil {
				checkLane(t, g, p, e.From, n, 1)
				checkLane(t, g, p, e.To, n, -1)
			}
		}
	}
}

// checkLane checks where an edge between slices of n nodes crosses the frame on a side of node v.
func checkLane(t *testing.T, g *Graph, p *picture, v, n int, side float64) {
	t.Helper()
	_, y := g.lane(p, v, n, side)
	if y < p.frames[0].y+titleSpace {
		t.Errorf("an edge of node %d crosses the frame at %g, through the title", v, y)
	}
	for k := v - v%n; k < v-v%n+n; k++ {
		if k != v && float64(side*(p.at[k].x-p.at[v].x)) > 0 && math.Abs(p.at[k].y-y) < p.size[k].y/2 {
			t.Errorf("an edge of node %d crosses the frame at %g, through node %d at %v", v, y, k, p.at[k])
		}
	}
}

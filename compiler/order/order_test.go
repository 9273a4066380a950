package order_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// graph is n binary vertices with edges.
func graph(n int, edges ...[2]int) *order.Graph {
	m := &model.Model{Kind: model.Markov}
	for i := range n {
		m.NewVar(string(rune('a'+i)), "0", "1")
	}
	for _, e := range edges {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(e[0]), model.VarID(e[1])}, Child: -1})
	}
	return order.FromModel(m)
}

func gridEdges(n int) (edges [][2]int) {
	for i := range n * n {
		if i%n+1 < n {
			edges = append(edges, [2]int{i, i + 1})
		}
		if i+n < n*n {
			edges = append(edges, [2]int{i, i + n})
		}
	}
	return edges
}

// Treewidths of these graphs are textbook facts: 1 for trees, 2 for cycles, n-1 for complete
// graphs, n for n by n grids.
func TestBestWidth(t *testing.T) {
	complete := [][2]int{}
	for i := range 5 {
		for k := range i {
			complete = append(complete, [2]int{k, i})
		}
	}
	tests := []struct {
		name  string
		g     *order.Graph
		width int
	}{
		{"no edge", graph(3), 0},
		{"tree", graph(5, [2]int{0, 1}, [2]int{0, 2}, [2]int{2, 3}, [2]int{2, 4}), 1},
		{"cycle", graph(4, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{3, 0}), 2},
		{"complete", graph(5, complete...), 4},
		{"grid", graph(25, gridEdges(5)...), 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := order.Best(tt.g, order.Options{Steps: 2000})
			if r.Cost.Width != tt.width {
				t.Errorf("width %d; want %d", r.Cost.Width, tt.width)
			}
			if c := tt.g.CostOf(r.Order); c != r.Cost {
				t.Errorf("playing the order through costs %+v; the search says %+v", c, r.Cost)
			}
		})
	}
}

func TestBestIsReproducible(t *testing.T) {
	for seed := range uint64(30) {
		g := order.FromModel(irtest.RandomModel(seed, irtest.Options{}))
		once := order.Best(g, order.Options{})
		a := order.Best(g, order.Options{Steps: 500, Seed: seed})
		b := order.Best(g, order.Options{Steps: 500, Seed: seed})
		if !slices.Equal(a.Order, b.Order) {
			t.Errorf("seed %d: two orders: %v and %v", seed, a.Order, b.Order)
		}
		if a.Cost.Entries > once.Cost.Entries {
			t.Errorf("seed %d: restarts made the cost %v of %v", seed, a.Cost.Entries, once.Cost.Entries)
		}
	}
}

func TestGroups(t *testing.T) {
	g := graph(6, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{3, 4}, [2]int{4, 5})
	r := order.Best(g, order.Options{Group: []int{1, 0, 0, 2, 0, 0}})
	if n := len(r.Order); n != 6 || r.Order[4] != 0 || r.Order[5] != 3 {
		t.Errorf("order %v; want 0 and 3 last", r.Order)
	}
}

func TestRead(t *testing.T) {
	m := irtest.Asia()
	names := func(skip string) string {
		s := "# an order\n\n"
		for _, v := range m.Vars {
			if v.Name != skip {
				s += "  " + v.Name + "\n"
			}
		}
		return s
	}
	first := m.Vars[0].Name
	tests := []struct{ name, text, want string }{
		{"all", names(""), ""},
		{"quoted", strings.Replace(names(""), first, `"`+first+`"`, 1), ""},
		{"missing", names(first), `o.txt: variable "` + first + `" is missing from the elimination order`},
		{"twice", names("") + first, `o.txt:11:1: variable "` + first + `" occurs twice in the elimination order; first in line 3`},
		{"unknown", names("") + "  nobody", `o.txt:11:3: unknown variable "nobody" in the elimination order`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := order.Read(strings.NewReader(tt.text), "o.txt", m)
			switch {
			case tt.want == "" && (err != nil || len(got) != len(m.Vars) || got[0] != 0):
				t.Errorf("got %v, %v; want every variable in order", got, err)
			case tt.want != "" && (err == nil || err.Error() != tt.want):
				t.Errorf("got  %v\nwant %v", err, tt.want)
			}
		})
	}
}

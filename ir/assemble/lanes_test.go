package assemble

import (
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Long lists of nodes become several instructions, so that none occupies the processor for long.
func TestLaneSumsAreCut(t *testing.T) {
	nodes := make([]Node, 100_000)
	for i := range nodes {
		nodes[i] = Node{Set: 0, Terms: [][2]int32{{0, -1}, {1, -1}}}
	}
	code := LaneSums(nil, nodes, false)
	l := pgmrt.NewLanes(2)
	for j := range pgmrt.Lanes {
		l[pgmrt.Lanes+j] = float64(j)
	}
	pgmrt.RunLanes(code, l)
	for j := range pgmrt.Lanes {
		if l[j] != 1e5*float64(j) {
			t.Errorf("lane %d: %v; want %v", j, l[j], 1e5*float64(j))
		}
	}
	instructions := 0
	for ; len(code) > 0; code = code[code[1]:] {
		instructions++
		if code[1] > laneWords+2 {
			t.Errorf("an instruction of %d words", code[1])
		}
	}
	if want := 8; instructions != want { // five words a node by the count of a pair's, 13108 nodes
		t.Errorf("%d instructions; want %d", instructions, want)
	}
}

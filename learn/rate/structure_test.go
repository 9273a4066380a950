package rate_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// By hand. The class of A→B→C with D separate has A−B−C; that of A→B←C has directions.
func TestCompareStructures(t *testing.T) {
	chain, back, collide := [][]int{{}, {0}, {1}, {}}, [][]int{{1}, {2}, {}, {}}, [][]int{{}, {0, 2}, {}, {}}
	none := make([][]int, 4)
	for _, c := range []struct {
		name           string
		truth, learned [][]int
		want           rate.Distance
	}{
		{"the same class", chain, back, rate.Distance{Precision: 1, Recall: 1, ArrowPrecision: 1, ArrowRecall: 1, F1: 1}},
		{"a collider", chain, collide, rate.Distance{SHD: 2, Directions: 2, Precision: 1, Recall: 1, ArrowRecall: 1}},
		{"nothing", chain, none, rate.Distance{SHD: 2, Missing: 2, Precision: 1, ArrowPrecision: 1, ArrowRecall: 1}},
		{"of nothing", none, chain, rate.Distance{SHD: 2, Extra: 2, Recall: 1, ArrowPrecision: 1, ArrowRecall: 1}},
		// A→D←B learned for A→B→C: A−B and B−C are missing, and A→D and B→D are extra.
		{"another", chain, [][]int{{}, {}, {}, {0, 1}}, rate.Distance{SHD: 4, Missing: 2, Extra: 2, ArrowRecall: 1}},
		// A→B→D learned for A→B←C: B−C is missing, B−D is extra, and A−B has lost its direction.
		{"all kinds", collide, [][]int{{}, {0}, {}, {1}}, rate.Distance{SHD: 3, Missing: 1, Extra: 1, Directions: 1, Precision: 0.5, Recall: 0.5, ArrowPrecision: 1}},
		// B→D is missing; the two edges of the collider agree, so that F1 is 2·1·(2/3)/(1+2/3).
		{"two of three", [][]int{{}, {0, 2}, {}, {1}}, collide, rate.Distance{SHD: 1, Missing: 1, Precision: 1, Recall: 2. / 3, ArrowPrecision: 1, ArrowRecall: 2. / 3, F1: .8}},
	} {
		if got := rate.CompareStructures(c.truth, c.learned); got != c.want {
			t.Errorf("%s: got %+v; want %+v", c.name, got, c.want)
		}
	}
	// The distance is one between classes: 0 within one, above 0 between two, and symmetric.
	dags := learnertest.DAGs(3)
	for _, g := range dags {
		for _, h := range dags {
			d, back := rate.CompareStructures(g, h), rate.CompareStructures(h, g)
			if same := learnertest.Class(g) == learnertest.Class(h); same != (d.SHD == 0) || d.SHD != back.SHD || d.Precision != back.Recall || d.ArrowPrecision != back.ArrowRecall || d.F1 != back.F1 {
				t.Errorf("%v and %v: %+v one way, %+v the other", g, h, d, back)
			}
		}
	}
}

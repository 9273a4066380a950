package infer_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestSessionReal changes one finding after another in random networks with real variables, and
// compares with an engine that starts afresh.
func TestSessionReal(t *testing.T) {
	for seed := range uint64(6) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{Decades: 2})
		e := engine(t, m, infer.Options{})
		s, err := e.Session(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		random, known := rand.New(rand.NewPCG(seed, 1)), infer.Evidence{}
		_, values := irtest.HybridSample(random, m)
		for step := range 20 {
			v := e.Vars()[random.IntN(len(e.Vars()))]
			switch k := random.IntN(3); {
			case k == 0 && !v.Given && step > 0:
				delete(known, v.Name)
			case m.IsReal(v.ID) && k == 1 && !v.Given:
				known[v.Name] = infer.Measurement{Mean: random.NormFloat64(), SD: .1 + random.Float64()}
			case m.IsReal(v.ID):
				known[v.Name] = values[v.ID]
			default:
				known[v.Name] = m.States(v.ID)[random.IntN(m.Card(v.ID))]
			}
			if finding, ok := known[v.Name]; !ok {
				err = s.Retract(v.Name)
			} else {
				err = s.Observe(v.Name, finding)
			}
			if err != nil {
				t.Fatal(err)
			}
			want, wantErr := e.Marginals(t.Context(), known)
			got, err := s.Marginals()
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("seed %d: error %v; want %v", seed, err, wantErr)
			}
			if err != nil {
				continue
			}
			irtest.CloseTo(t, got.LogProb, want.LogProb, 1e-11)
			for i := range got.List {
				irtest.Close(t, got.List[i].P, want.List[i].P, 1e-11)
				irtest.CloseTo(t, got.List[i].Mean, want.List[i].Mean, 1e-11)
				irtest.CloseTo(t, got.List[i].Variance, want.List[i].Variance, 1e-11)
			}
		}
	}
}

package methodtest

import (
	"context"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// subject is a compiled model with its joint distribution.
type subject struct {
	*testing.T
	joint   *brute.Joint
	result  *compiler.Result
	machine *eval.Machine
}

// newSubject compiles m with checks, without normalizing its rows.
func newSubject(t *testing.T, m *model.Model, opt compiler.Options) *subject {
	t.Helper()
	joint, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	opt.Rows, opt.Check = model.RowsAsIs, true
	r, err := compiler.Compile(context.Background(), m, opt)
	if err != nil {
		t.Fatalf("model %s: %v", m.Name, err)
	}
	return &subject{t, joint, r, eval.New(r.Program, r.Model)}
}

// only returns the entry of the only query of an approximate method.
func (s *subject) only() *ir.Entry { return &s.result.Program.Entries[0] }

// enter sets the evidence.
func (s *subject) enter(e brute.Evidence) {
	s.Helper()
	Enter(s.T, s.machine, s.joint.Model, e)
}

func (s *subject) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// Enter sets the evidence of a machine.
func Enter(t *testing.T, machine *eval.Machine, m *model.Model, e brute.Evidence) {
	t.Helper()
	machine.ClearEvidence()
	for v := range m.Vars {
		id := model.VarID(v)
		if s, ok := e.Hard[id]; ok {
			if err := machine.Observe(id, s); err != nil {
				t.Fatal(err)
			}
		}
		if l, ok := e.Soft[id]; ok {
			if err := machine.Likelihood(id, l); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// chunk returns a limit of the size of blocks, which is low for each third model, so that there are
// many blocks.
func chunk(n int) int {
	if n%3 == 0 {
		return 8
	}
	return 0
}

// evidence returns the k-th evidence for model i: none first, then random.
func evidence(i int, k uint64, m *model.Model) brute.Evidence {
	if k == 0 {
		return brute.Evidence{}
	}
	return irtest.RandomEvidence(uint64(i)*10+k, m)
}

// fixturesAnd returns the fixtures and n random models of at most that many joint states; half of
// them have at most one parent per variable.
func fixturesAnd(n uint64, joint int) []*model.Model {
	models := irtest.Fixtures()
	for seed := range n {
		o := irtest.Options{MaxJoint: joint}
		if seed%2 == 0 {
			o.MaxParents = 1
		}
		models = append(models, irtest.RandomModel(seed, o))
	}
	return models
}

// Joint returns n models: the fixtures, and random models of at most that many joint states that
// have a joint distribution, half of them without zeros.
func Joint(n, joint int) []*model.Model {
	models := irtest.Fixtures()
	for seed := uint64(0); len(models) < n; seed++ {
		if m := irtest.RandomModel(seed, irtest.Options{MaxJoint: joint, NoZeros: seed%2 == 0}); m.Kind != model.Dependency {
			models = append(models, m)
		}
	}
	return models
}

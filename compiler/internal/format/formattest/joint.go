package formattest

import (
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

// maxJoint bounds the joint states that are enumerated.
const maxJoint = 1 << 22

// Joint holds the product of all factors of a small model for every joint state of its variables.
type Joint struct {
	m      *model.Model
	values []float64
}

// NewJoint enumerates m.
func NewJoint(t testing.TB, m *model.Model) *Joint {
	t.Helper()
	all := make([]model.VarID, len(m.Vars))
	for i := range all {
		all[i] = model.VarID(i)
	}
	n, ok := m.TableSize(all)
	if !ok || n > maxJoint {
		t.Fatalf("%q has too many joint states to enumerate", m.Name)
	}
	joint := &Joint{m, make([]float64, n)}
	state := make([]int, len(m.Vars))
	for i := range joint.values {
		product := 1.0
		for _, f := range m.Factors {
			product *= m.Value(f, state)
			if product == 0 {
				break
			}
		}
		joint.values[i] = product
		m.Next(all, state)
	}
	return joint
}

// Posterior returns P(name = value | evidence), where evidence maps variables to states.
func (j *Joint) Posterior(t testing.TB, name, value string, evidence map[string]string) float64 {
	t.Helper()
	wanted := j.fix(t, evidence)
	v, s := j.find(t, name, value)
	strides := j.strides()
	var hit, total float64
	for i, p := range j.values {
		if p == 0 || !matches(i, wanted, strides, j.m) {
			continue
		}
		total += p
		if i/strides[v]%j.m.Card(v) == s {
			hit += p
		}
	}
	return hit / total
}

// matches reports whether joint state i has the wanted states; a negative one matches any state.
func matches(i int, wanted, strides []int, m *model.Model) bool {
	for v, s := range wanted {
		if s >= 0 && i/strides[v]%m.Card(model.VarID(v)) != s {
			return false
		}
	}
	return true
}

// strides returns the distance in the joint table between neighbouring states of each variable.
func (j *Joint) strides() []int {
	strides := make([]int, len(j.m.Vars))
	for v, size := len(strides)-1, 1; v >= 0; v-- {
		strides[v] = size
		size *= j.m.Card(model.VarID(v))
	}
	return strides
}

// fix returns the state of each observed variable, and -1 for the others.
func (j *Joint) fix(t testing.TB, evidence map[string]string) []int {
	t.Helper()
	wanted := make([]int, len(j.m.Vars))
	for i := range wanted {
		wanted[i] = -1
	}
	for name, value := range evidence {
		v, s := j.find(t, name, value)
		wanted[v] = s
	}
	return wanted
}

func (j *Joint) find(t testing.TB, name, value string) (model.VarID, int) {
	t.Helper()
	v, ok := j.m.VarByName(name)
	if !ok {
		t.Fatalf("no variable %q in %q", name, j.m.Name)
	}
	s, ok := j.m.StateByName(v.ID, value)
	if !ok {
		t.Fatalf("no state %q of %q in %q", value, name, j.m.Name)
	}
	return v.ID, s
}

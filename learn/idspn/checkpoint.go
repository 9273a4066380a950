package idspn

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// checkpoint holds the results that take long: the circuits, in the order in which a search asks
// for them. A search that continues repeats everything else.
type checkpoint struct {
	Leaves []saved `json:"leaves"`
}

// saved is a finished circuit, or the ACMN checkpoint of an unfinished one.
type saved struct {
	Features []feature           `json:"features,omitempty"`
	Circuit  []model.CircuitNode `json:"circuit,omitempty"`
	Open     *learner.Checkpoint `json:"open,omitempty"`
}

// feature is a factor of a network.
type feature struct {
	Scope []model.VarID  `json:"scope"`
	Of    *model.Feature `json:"of"`
}

// log writes the checkpoint of a search.
type log struct {
	saver *learner.Saver
	mu    sync.Mutex // guards the checkpoint
	at    checkpoint
}

func newLog(job *learner.Job, l Options) (*log, error) {
	g := &log{saver: job.Saver("idspn", l)}
	_, err := g.saver.Load(&g.at)
	return g, err
}

// leaf returns the stored state of a circuit.
func (g *log) leaf(number int) saved {
	g.mu.Lock()
	defer g.mu.Unlock()
	if number < len(g.at.Leaves) {
		return g.at.Leaves[number]
	}
	return saved{}
}

// keep stores the state of a circuit.
func (g *log) keep(number int, x saved) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(g.at.Leaves) <= number {
		g.at.Leaves = append(g.at.Leaves, saved{})
	}
	g.at.Leaves[number] = x
	return g.saver.Keep(&g.at)
}

// savedOf returns the network and the circuit that ACMN learned.
func savedOf(models []*model.Model) (x saved) {
	for _, f := range models[0].Factors {
		x.Features = append(x.Features, feature{f.Scope, &f.Dist.(*model.Features).List[0]})
	}
	x.Circuit = models[1].Factors[0].Circuit().Nodes
	return x
}

// models returns the network and the circuit over some variables. It returns an error if they are
// not valid.
func (x *saved) models(vars []data.Var) ([]*model.Model, error) {
	network, circuit := &model.Model{Kind: model.Markov}, &model.Model{Kind: model.Markov}
	var cards []int
	f := &model.Factor{Child: -1, Dist: &model.Circuit{Nodes: x.Circuit}}
	for _, v := range vars {
		network.NewVar(v.Name, v.States...)
		f.Scope = append(f.Scope, circuit.NewVar(v.Name, v.States...).ID)
		cards = append(cards, len(v.States))
	}
	circuit.Factors = []*model.Factor{f}
	for _, part := range x.Features {
		if part.Of == nil {
			return nil, errors.New("a feature is missing")
		}
		network.Factors = append(network.Factors, &model.Factor{Scope: part.Scope, Child: -1, Dist: &model.Features{List: []model.Feature{*part.Of}}})
	}
	for _, m := range []*model.Model{network, circuit} {
		if list := m.Check(); list.HasErrors() {
			return nil, list.Err()
		}
	}
	tape, theta := growing.TapeOf(f.Circuit(), cards)
	tape.All()
	if z := tape.Eval(theta); !(math.Abs(z-1) <= 1e-6) { // far above rounding errors
		return nil, fmt.Errorf("the circuit sums to %v; want 1", z)
	}
	return []*model.Model{network, circuit}, nil
}

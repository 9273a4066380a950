package picture

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/learner"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// The widths of edges of strength 0 and of the largest strength, in pixels.
const (
	thinnest = .6
	thickest = 5.0
)

// MutualInformation gives each edge between two discrete variables a width by their mutual
// information given the evidence, in nats, which its tooltip shows. It asks one question for each
// state of a variable with edges.
func (b *Beliefs) MutualInformation(ctx context.Context, g *draw.Graph) error {
	from := map[int][]int{}
	for i, e := range g.Edges {
		from[e.From] = append(from[e.From], i)
	}
	strength := make([]float64, len(g.Edges))
	for v, x := range b.Model.Vars {
		own := b.After.Of(x.Name)
		if from[v] == nil || own == nil || own.P == nil {
			continue
		}
		for s, p := range own.P {
			if p == 0 || p == 1 {
				continue
			}
			given, err := b.engine.Marginals(ctx, b.Known.With(model.VarID(v), s))
			if err != nil {
				return err
			}
			for _, i := range from[v] {
				strength[i] += p * divergence(given, b.After, b.name(g.Edges[i].To))
			}
		}
	}
	widen(g, strength, "mutual information", "%.4g nats")
	return nil
}

// name returns the name of the variable of a node, or "" for a factor.
func (b *Beliefs) name(node int) string {
	if node >= len(b.Model.Vars) {
		return ""
	}
	return b.Model.Vars[node].Name
}

// divergence returns the divergence of the posterior of a discrete variable in q from that in p, in
// nats; 0 for other variables.
func divergence(p, q *infer.Marginals, name string) float64 {
	a, b := p.Of(name), q.Of(name)
	if a == nil || b == nil {
		return 0
	}
	sum := 0.0
	for s, x := range a.P {
		if x > 0 && b.P[s] > 0 {
			sum += x * pgmrt.Ln(x/b.P[s])
		}
	}
	return max(sum, 0)
}

// widen sets the widths of edges in proportion to their strengths, and their tooltips.
func widen(g *draw.Graph, strength []float64, what, format string) {
	most := 0.0
	for _, x := range strength {
		most = max(most, x)
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		e.Width = thinnest
		if most > 0 {
			e.Width += (thickest - thinnest) * strength[i] / most
		}
		e.Note = fmt.Sprintf("%s, %s: %s "+format, g.Nodes[e.From].Lines[0], g.Nodes[e.To].Lines[0], what, strength[i])
	}
}

// ReadStrengths gives each edge a width by the report of a learner, as pgmc learn prints it with
// --json: by the probability of an edge between the two, in one direction or the other, if there
// was a bootstrap or the learner averages over structures, and otherwise by the decrease of the
// score without it.
func ReadStrengths(path string, g *draw.Graph) error {
	text, err := readFile(path)
	if err != nil {
		return err
	}
	var r learner.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("%s: found no report of a learner, which pgmc learn --json prints", path)
	}
	what, format, by := "probability of an edge between them", "%.4g", map[[2]string]float64{}
	for _, x := range r.Posteriors {
		by[[2]string{x.From, x.To}] += x.Probability
		by[[2]string{x.To, x.From}] += x.Probability
	}
	if r.Posteriors == nil {
		what, format = "the score falls by", "%.4g without the edge"
		for _, x := range r.Strengths {
			by[[2]string{x.From, x.To}] = max(x.Strength, 0)
		}
	}
	if len(by) == 0 {
		return fmt.Errorf("%s: the report has no probabilities of edges; those of pgmc learn average and of --bootstrap have", path)
	}
	strength := make([]float64, len(g.Edges))
	for i, e := range g.Edges {
		strength[i] = by[[2]string{g.Nodes[e.From].Lines[0], g.Nodes[e.To].Lines[0]}]
	}
	widen(g, strength, what, format)
	return nil
}

// mostReport is the largest report that is read, in bytes.
const mostReport = 64 << 20

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostReport+1))
	if err == nil && len(text) > mostReport {
		err = fmt.Errorf("%s: the report is larger than %d MiB", path, mostReport>>20)
	}
	return text, err
}

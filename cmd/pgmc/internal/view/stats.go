package view

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cost"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method/clg"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// statsReport holds the results of pgmc stats.
type statsReport struct {
	Model   modelStats     `json:"model"`
	Orders  []orderStats   `json:"orders"` // one for each heuristic, the one that compile would use, and for a large network, that without a contraction tree
	Cliques cliqueStats    `json:"cliques"`
	Method  MethodStats    `json:"method"`
	Strong  *clg.Tree      `json:"strong_tree,omitempty"` // of a network with real variables; nil if the method does not eliminate them
	Program programStats   `json:"program"`
	Circuit *circuitStats  `json:"circuit,omitempty"` // of the circuit of P(evidence); nil if the method makes none
	Blocks  []blockStats   `json:"blocks"`            // empty if the program is predicted
	Slices  *sequenceStats `json:"slices,omitempty"`  // nil unless the model is about sequences
	Queries []queryStats   `json:"queries"`
	Peak    int64          `json:"peak_bytes"` // of memory that pgmc itself has taken so far; 0 if not known
	Refused string         `json:"refused"`    // why compile would refuse the model, and what would work; empty if it would not
}

// circuitStats holds the sizes of a circuit. Ops counts binary operations; nodes and edges count
// sums and products of any number of operands.
type circuitStats struct {
	Nodes int `json:"nodes"`
	Edges int `json:"edges"`
	Ops   int `json:"ops"`
}

// MethodStats is the method that compile would use, and the reason. The counts and times by which
// it was chosen are for the queries that both methods can answer.
type MethodStats struct {
	Name       string  `json:"name"`
	Why        string  `json:"why"`              // empty if the method was named
	Proven     string  `json:"proven,omitempty"` // of the answers of an approximate method that best chose
	Second     string  `json:"second,omitempty"` // whether there is a second plan
	Note       string  `json:"note,omitempty"`   // decision of the method
	Operations float64 `json:"operations"`       // of a circuit; 0 if none was made
	CircuitNS  float64 `json:"circuit_ns"`
	Entries    float64 `json:"table_entries"` // of a clique tree
	TablesNS   float64 `json:"tables_ns"`
}

// StatsOfMethod describes the named method, or the one that auto chose.
func StatsOfMethod(asked string, c *compiler.Choice) MethodStats {
	if c == nil {
		return MethodStats{Name: asked}
	}
	s := MethodStats{Name: c.Method, Why: c.Why, Proven: c.Proven, Second: c.Second}
	if c.Circuit != nil {
		s.Operations, s.CircuitNS = c.Circuit.Count, math.Round(c.Circuit.NS)
	}
	if c.Tables != nil {
		s.Entries, s.TablesNS = cost.Finite(c.Tables.Count), cost.Finite(c.Tables.NS)
	}
	return s
}

// String returns the method with the reason and the note, if any.
func (s MethodStats) String() string {
	text := s.Name
	for _, more := range []string{s.Why, s.Proven, s.Second, s.Note} {
		if more != "" {
			text += ", " + more
		}
	}
	return text
}

// orderStats holds the consequences of an order. The width and the clique sizes are exact, the rest
// is predicted.
type orderStats struct {
	Order         string  `json:"order"`
	Width         int     `json:"width"`
	LargestClique float64 `json:"largest_clique"` // number of its joint states
	BucketEntries float64 `json:"bucket_entries"` // joint states of all buckets
	TableEntries  float64 `json:"table_entries"`
	Products      float64 `json:"products"`
	Operations    float64 `json:"operations"` // multiplications and additions
	Bytes         float64 `json:"bytes"`
	QueryNS       float64 `json:"query_ns"` // of the first query
	BuildSeconds  float64 `json:"build_seconds"`
	SourceBytes   float64 `json:"source_bytes"`
}

// cliqueStats describes the maximal cliques of the whole model, for the order that compile would
// use.
type cliqueStats struct {
	Number  int           `json:"number"`
	Entries float64       `json:"entries"`
	Largest float64       `json:"largest"`
	Median  float64       `json:"median"`
	Sizes   []cliqueRange `json:"sizes"`
}

// cliqueRange counts the cliques with at most UpTo joint states and more than the range before.
type cliqueRange struct {
	UpTo    float64 `json:"up_to"`
	Cliques int     `json:"cliques"`
}

type programStats struct {
	Predicted    bool    `json:"predicted"` // predicted from the scopes of tables; otherwise measured on an emitted package
	Claim        string  `json:"claim"`
	TableEntries float64 `json:"table_entries"`
	Products     float64 `json:"products"` // as [ir.Step.Products] counts them, with each block run once
	Steps        float64 `json:"steps"`
	Blocks       int     `json:"blocks"`
	WorkBytes    float64 `json:"work_bytes"`
	DataBytes    float64 `json:"data_bytes"`
	TextBytes    float64 `json:"text_bytes"`    // machine code, predicted
	SourceBytes  float64 `json:"source_bytes"`  // Go and data files
	BuildSeconds float64 `json:"build_seconds"` // predicted
}

type blockStats struct {
	Name       string  `json:"name"`
	Backend    string  `json:"backend"`
	Steps      int     `json:"steps"`
	Operations int     `json:"operations"` // arithmetic operations of the generated code
	NS         float64 `json:"ns"`
}

// queryStats is the cost of a query: its predicted time, and the memory of a package for only it.
type queryStats struct {
	Name     string  `json:"name"`
	NS       float64 `json:"ns"`
	Products float64 `json:"products"`
	Bytes    float64 `json:"bytes"`
}

// StatsOptions are the flags of pgmc stats.
type StatsOptions struct {
	cli.ModelFlags
	cli.MethodFlags
	Backend cli.Choice
	Queries []string
}

// Stats measures the model at path and prints the results.
func Stats(ctx context.Context, a *cli.App, path string, f *StatsOptions) error {
	f.Lasting, f.Asked = true, len(f.Queries) > 0
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return err
	}
	opt.Queries, opt.Method, opt.Accept = f.Queries, f.MethodFlags.Options(&opt), cost.Accept(a.ProcessLimit())
	defer a.Progress("measuring "+filepath.Base(path), nil).Stop()
	opt, decided, err := a.Decide(ctx, path, m, opt)
	if err != nil {
		return err
	}
	est, err := a.Estimate(ctx, path, m, opt)
	if err != nil {
		return err
	}
	if decided != nil {
		est.Choice = decided
	}
	s := &statsReport{Model: statsOfModel(m), Cliques: statsOfCliques(m, est), Blocks: []blockStats{}}
	s.Method = StatsOfMethod(f.Method.Value, est.Choice)
	if p := compiler.Preferred(m); opt.MethodName() == compiler.Auto && est.Choice == nil && p != nil && (p.Answers == nil || len(f.Queries) == 0) {
		s.Method.Name = p.Name
	}
	s.strongTree(m)
	if m.Transition != nil {
		s.Slices = statsOfSequences(m)
	}
	one := opt
	if est.Choice != nil {
		one.Method = compiler.Named(est.Choice.Method)
	}
	if s.Orders, err = statsOfOrders(ctx, a, path, m, one, est); err != nil {
		return err
	}
	s.predict(m, est)
	if c := est.Circuit; c != nil {
		s.Circuit = &circuitStats{c.Nodes, c.Edges, c.Ops}
	}
	switch refused := est.Refused(); {
	case refused != nil:
		s.Refused = cli.Text(refused)
	case cost.Affordable(m, &est.Size):
		err = statsOfPackage(ctx, a, path, m, opt, f.Backend.Value, s)
	}
	if err != nil {
		return err
	}
	s.Peak = cli.PeakMemory()
	if a.JSON {
		return a.PrintJSON(s)
	}
	return s.print(a.Stdout)
}

// strongTree sets the strong tree of method clg, or why it is the method of a discrete network.
func (s *statsReport) strongTree(m *model.Model) {
	switch clgs := s.Method.Name == clg.Method.Name; {
	case clgs && len(m.Reals()) == 0 && m.Traits()&model.Givens != 0 && s.Method.Why == "":
		s.Method.Why = "which takes given variables, and discrete networks with some"
	case clgs:
		t := clg.TreeOf(m)
		t.States, t.Numbers, t.Largest = cost.Finite(t.States), cost.Finite(t.Numbers), cost.Finite(t.Largest)
		s.Strong = &t
	}
}

// predict sets the program and the queries to their estimates.
func (s *statsReport) predict(m *model.Model, est *compiler.Estimation) {
	p := cost.Predict(m, &est.Size)
	s.Program = programStats{
		Predicted: true, Claim: est.Claim.String(), TableEntries: cost.Finite(est.Entries), Products: cost.Finite(est.Products), Steps: cost.Finite(est.Steps),
		WorkBytes: cost.Finite(8*est.Work + 4*est.States), DataBytes: cost.Finite(8 * est.Data), TextBytes: p.Text, SourceBytes: cost.Finite(p.Source), BuildSeconds: p.Build,
	}
	for i := range est.Queries {
		q := &est.Queries[i]
		s.Queries = append(s.Queries, queryStats{q.Query.Name, cost.Finite(cost.PredictNS(q.Query.Kind, &q.Size)), cost.Finite(q.Products), cost.Finite(q.Bytes())})
	}
}

// statsOfPackage emits the package and replaces predictions by its numbers.
func statsOfPackage(ctx context.Context, a *cli.App, path string, m *model.Model, opt compiler.Options, backend string, s *statsReport) error {
	r, err := a.Compile(ctx, path, m, opt, nil)
	if err != nil {
		return err
	}
	pkg, err := a.Emit(ctx, r, codegen.Options{Package: codegen.PackageName(cli.ModelName(path)), Source: filepath.Base(path), Backend: backend})
	var refused *diag.Message
	if backend := (*codegen.BackendError)(nil); errors.As(err, &refused) && !errors.As(err, &backend) {
		s.Refused = cli.Text(refused)
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s.Program = statsOfProgram(r, pkg)
	for _, b := range pkg.Report.Blocks {
		s.Blocks = append(s.Blocks, blockStats{b.Name, b.Backend, b.Steps, b.Cost.Ops, b.Cost.NS})
	}
	for i, q := range pkg.Report.Queries {
		s.Queries[i].NS = q.NS
	}
	if s.Slices != nil {
		s.Slices.measure(r.Model, r.Program, pkg)
		s.Slices.contract(ctx, r)
		g, err := compiler.GrowthOf(ctx, r.Model, r.Program, pkg.Report.Histories)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if g != nil {
			s.Slices.grow(g)
		}
	}
	return nil
}

// statsOfOrders estimates the program for the order of each heuristic, without restarts. est is the
// estimate for the order that compile would use.
func statsOfOrders(ctx context.Context, a *cli.App, path string, m *model.Model, opt compiler.Options, est *compiler.Estimation) ([]orderStats, error) {
	var list []orderStats
	add := func(name string, e *compiler.Estimation) {
		p := cost.Predict(m, &e.Size)
		o := orderStats{Order: name, LargestClique: cost.Finite(e.Largest), TableEntries: cost.Finite(e.Entries), Products: cost.Finite(e.Products),
			Operations: cost.Finite(e.Operations), Bytes: cost.Finite(e.Bytes()), BuildSeconds: p.Build, SourceBytes: cost.Finite(p.Source)}
		for _, r := range e.Orders {
			o.Width = max(o.Width, r.Cost.Width)
			o.LargestClique = cost.Finite(max(o.LargestClique, r.Cost.Largest))
			o.BucketEntries = cost.Finite(o.BucketEntries + r.Cost.Entries)
		}
		if len(e.Queries) > 0 {
			o.QueryNS = cost.Finite(cost.PredictNS(e.Queries[0].Query.Kind, &e.Queries[0].Size))
		}
		list = append(list, o)
	}
	for _, h := range order.Heuristics {
		one := opt
		one.Heuristics, one.Order, one.Steps = []order.Heuristic{h}, nil, -1
		each, err := a.Estimate(ctx, path, m, one)
		if err != nil {
			return nil, err
		}
		add(h.String(), each)
	}
	add("compile", est)
	if !mayPair(m, opt.MethodName(), est) {
		return list, nil
	}
	opt.Order, opt.Method = est.Orders[0].Order, jointree.Options{Contract: jointree.Buckets}
	buckets, err := a.Estimate(ctx, path, m, opt)
	if err != nil {
		return nil, err
	}
	add("in buckets", buckets)
	return list, nil
}

// mayPair reports whether est may be of a plan by a contraction tree.
func mayPair(m *model.Model, by string, est *compiler.Estimation) bool {
	return (by == "" || by == jointree.Method.Name) && est.Products >= jointree.LastingFrom && !math.IsInf(est.Products, 1) &&
		len(est.Orders) > 0 && len(est.Orders[0].Order) == len(m.Vars)
}

// statsOfCliques returns the cliques of the first order, or none if the order is not of the whole
// model or its search gave up.
func statsOfCliques(m *model.Model, est *compiler.Estimation) cliqueStats {
	c := cliqueStats{Sizes: []cliqueRange{}}
	if len(est.Orders) == 0 || len(est.Orders[0].Order) != len(m.Vars) || len(m.Vars) == 0 || math.IsInf(est.Products, 1) {
		return c
	}
	scopes := make([][]model.VarID, len(m.Factors))
	for i, f := range m.Factors {
		scopes[i] = f.Scope
	}
	tree := cluster.New(len(m.Vars), scopes, est.Orders[0].Order)
	var sizes []float64
	for _, i := range tree.Maximal() {
		n := math.Round(math.Exp(m.LogTableSize(tree.Scope(i))))
		sizes = append(sizes, n)
		c.Entries += n
	}
	slices.Sort(sizes)
	c.Number, c.Largest, c.Median = len(sizes), sizes[len(sizes)-1], sizes[len(sizes)/2]
	for _, n := range sizes {
		if k := len(c.Sizes); k == 0 || n > c.Sizes[k-1].UpTo {
			c.Sizes = append(c.Sizes, cliqueRange{UpTo: math.Pow(10, math.Ceil(math.Log10(n)))})
		}
		c.Sizes[len(c.Sizes)-1].Cliques++
	}
	return c
}

func statsOfProgram(r *compiler.Result, pkg *codegen.Package) programStats {
	p, report := r.Program, &pkg.Report
	s := programStats{
		Claim: r.Claim.String(), Blocks: len(p.Blocks), TextBytes: float64(report.Total.Text), BuildSeconds: report.Total.Build,
		WorkBytes: float64(8*report.Work + 4*report.State), DataBytes: float64(8*report.Data + 4*report.Code),
	}
	for i := range p.Spans {
		if p.Spans[i].Elem == ir.Float64 {
			s.TableEntries += float64(p.Spans[i].Len)
		}
	}
	for _, b := range p.Blocks {
		s.Steps += float64(len(b.Steps))
		for _, step := range b.Steps {
			s.Products += float64(step.Products())
		}
	}
	for _, f := range pkg.Files {
		s.SourceBytes += float64(len(f.Data))
	}
	return s
}

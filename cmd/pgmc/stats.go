package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// statsReport is all that pgmc stats knows.
type statsReport struct {
	Model   modelStats   `json:"model"`
	Orders  []orderStats `json:"orders"` // one for each heuristic, and last the one that was compiled
	Program programStats `json:"program"`
	Blocks  []blockStats `json:"blocks"`
	Queries []queryStats `json:"queries"`
}

type modelStats struct {
	Kind           string  `json:"kind"`
	Variables      int     `json:"variables"`
	States         int     `json:"states"`
	MinStates      int     `json:"min_states"`
	MaxStates      int     `json:"max_states"`
	Factors        int     `json:"factors"`
	Parameters     int     `json:"parameters"`      // numbers as the model holds them
	FreeParameters int     `json:"free_parameters"` // of a Bayesian network: without the last of each row
	Zeros          float64 `json:"zeros"`           // share of the parameters
	Ones           float64 `json:"ones"`
}

type orderStats struct {
	Heuristic string  `json:"heuristic"`
	Width     int     `json:"width"`
	Largest   float64 `json:"largest"` // entries of the largest clique
	Entries   float64 `json:"entries"` // of all buckets
}

type programStats struct {
	Claim        string  `json:"claim"`
	TableEntries int     `json:"table_entries"`
	Products     int     `json:"products"` // entries of contractions, each block run once
	Steps        int     `json:"steps"`
	Blocks       int     `json:"blocks"`
	WorkBytes    int     `json:"work_bytes"`
	DataBytes    int     `json:"data_bytes"`
	TextBytes    int     `json:"text_bytes"`    // predicted machine code
	SourceBytes  int     `json:"source_bytes"`  // Go and data files
	BuildSeconds float64 `json:"build_seconds"` // predicted
}

type blockStats struct {
	Name       string  `json:"name"`
	Backend    string  `json:"backend"`
	Steps      int     `json:"steps"`
	Operations int     `json:"operations"` // arithmetic of the code that the back-end makes
	NS         float64 `json:"ns"`
}

type queryStats struct {
	Name string  `json:"name"`
	NS   float64 `json:"ns"` // predicted time
}

func (a *app) statsCommand() *cobra.Command {
	f := &compileFlags{}
	cmd := &cobra.Command{
		Use:     "stats MODEL",
		Short:   "Sizes of a model, of elimination orders, and of the package it would compile to",
		Example: "  pgmc stats asia.bif\n  pgmc stats asia.bif --order min-fill --json",
		Args:    oneModel,
		RunE:    a.action(func(ctx context.Context, args []string) error { return a.runStats(ctx, args[0], f) }),
	}
	f.addTo(cmd)
	addBackend(cmd, &f.backend)
	cmd.Flags().StringArrayVar(&f.queries, "query", nil, "what to compile, as for pgmc compile; repeatable")
	return cmd
}

func (a *app) runStats(ctx context.Context, path string, f *compileFlags) error {
	m, err := a.load(ctx, path, f.format.value)
	if err != nil {
		return err
	}
	opt, err := a.options(m, &f.modelFlags)
	if err != nil {
		return err
	}
	opt.Queries = f.queries
	defer a.progress("compiling "+filepath.Base(path), nil).stop()
	r, err := a.compile(ctx, path, m, opt, nil)
	if err != nil {
		return err
	}
	pkg, err := a.emit(ctx, r, codegen.Options{Package: packageName(modelName(path)), Source: filepath.Base(path), Backend: f.backend.value})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s := &statsReport{Model: statsOfModel(r.Model), Orders: statsOfOrders(r), Program: statsOfProgram(r, pkg)}
	for _, b := range pkg.Report.Blocks {
		s.Blocks = append(s.Blocks, blockStats{b.Name, b.Backend, b.Steps, b.Cost.Ops, b.Cost.NS})
	}
	for _, e := range r.Program.Entries {
		q := queryStats{Name: e.Query.Name}
		for _, b := range e.Blocks {
			q.NS += pkg.Report.Blocks[b].Cost.NS
		}
		s.Queries = append(s.Queries, q)
	}
	if a.json {
		return a.printJSON(s)
	}
	return s.print(a.stdout)
}

func statsOfModel(m *model.Model) modelStats {
	s := modelStats{Kind: m.Kind.String(), Variables: len(m.Vars), Factors: len(m.Factors)}
	for i, v := range m.Vars {
		n := m.Card(v.ID)
		s.States += n
		s.MaxStates = max(s.MaxStates, n)
		if i == 0 || n < s.MinStates {
			s.MinStates = n
		}
	}
	zeros, ones := 0, 0
	for _, f := range m.Factors {
		numbers := numbersOf(f.Dist)
		s.Parameters += len(numbers)
		if f.Child >= 0 && m.Card(f.ChildVar()) > 0 {
			s.FreeParameters += len(numbers) / m.Card(f.ChildVar()) * (m.Card(f.ChildVar()) - 1)
		}
		for _, x := range numbers {
			switch x {
			case 0:
				zeros++
			case 1:
				ones++
			}
		}
	}
	if s.Parameters > 0 {
		s.Zeros, s.Ones = float64(zeros)/float64(s.Parameters), float64(ones)/float64(s.Parameters)
	}
	return s
}

// numbersOf lists the numbers that a distribution holds.
func numbersOf(d model.Dist) []float64 {
	var list []float64
	switch d := d.(type) {
	case *model.Table:
		return d.Values
	case *model.NoisyMax:
		list = append(list, d.Leak...)
		for _, c := range d.Cause {
			list = append(list, c...)
		}
	case *model.Tree:
		for _, n := range d.Nodes {
			list = append(list, n.Leaf...)
		}
	case *model.Features:
		for _, x := range d.List {
			list = append(list, math.Exp(x.Weight))
		}
	case *model.Circuit:
		for _, n := range d.Nodes {
			if n.Op == model.CircuitNumber {
				list = append(list, n.Value)
			}
		}
	}
	return list
}

func statsOfOrders(r *compiler.Result) []orderStats {
	var list []orderStats
	add := func(name string, c order.Cost) { list = append(list, orderStats{name, c.Width, c.Largest, c.Entries}) }
	for _, h := range order.Heuristics {
		add(h.String(), order.Best(order.FromModel(r.Model), order.Options{Heuristics: []order.Heuristic{h}}).Cost)
	}
	if len(r.Orders) > 0 {
		add("compiled", r.Orders[0].Cost)
	}
	for i := range list { // JSON has no infinity
		list[i].Largest = math.Min(list[i].Largest, math.MaxFloat64)
		list[i].Entries = math.Min(list[i].Entries, math.MaxFloat64)
	}
	return list
}

func statsOfProgram(r *compiler.Result, pkg *codegen.Package) programStats {
	p, report := r.Program, &pkg.Report
	s := programStats{
		Claim: r.Claim.String(), Blocks: len(p.Blocks), TextBytes: report.Total.Text, BuildSeconds: report.Total.Build,
		WorkBytes: 8*report.Work + 4*report.State, DataBytes: 8*report.Data + 4*report.Code,
	}
	for i := range p.Spans {
		if p.Spans[i].Elem == ir.Float64 {
			s.TableEntries += p.Spans[i].Len
		}
	}
	for _, b := range p.Blocks {
		s.Steps += len(b.Steps)
		for _, step := range b.Steps {
			if c, ok := step.(*ir.Contract); ok {
				s.Products += c.Entries()
			}
		}
	}
	for _, f := range pkg.Files {
		s.SourceBytes += len(f.Data)
	}
	return s
}

// print writes the report for people.
func (s *statsReport) print(w io.Writer) error {
	m, p := &s.Model, &s.Program
	t := &table{}
	t.add("model", m.Kind)
	t.add("variables", fmt.Sprintf("%d (%d states, %d to %d each)", m.Variables, m.States, m.MinStates, m.MaxStates))
	t.add("factors", fmt.Sprint(m.Factors))
	parameters := fmt.Sprint(m.Parameters)
	if m.FreeParameters > 0 {
		parameters += fmt.Sprintf(" (%d free)", m.FreeParameters)
	}
	t.add("parameters", parameters+fmt.Sprintf(", %.1f %% zeros, %.1f %% ones", 100*m.Zeros, 100*m.Ones))
	t.add("table entries", fmt.Sprint(p.TableEntries))
	t.add("products", fmt.Sprintf("%d in %d steps, %d blocks", p.Products, p.Steps, p.Blocks))
	t.add("memory", fmt.Sprintf("work %s, data %s", humanBytes(p.WorkBytes), humanBytes(p.DataBytes)))
	t.add("package", fmt.Sprintf("source %s, code about %s, build about %.1f s", humanBytes(p.SourceBytes), humanBytes(p.TextBytes), p.BuildSeconds))
	t.add("answers", p.Claim)
	orders := &table{}
	orders.add("order", "width", "largest clique", "bucket entries")
	for _, o := range s.Orders {
		orders.add(o.Heuristic, fmt.Sprint(o.Width), fmt.Sprintf("%.6g", o.Largest), fmt.Sprintf("%.6g", o.Entries))
	}
	blocks := &table{}
	blocks.add("block", "back-end", "steps", "operations", "ns")
	for _, b := range s.Blocks {
		blocks.add(b.Name, b.Backend, fmt.Sprint(b.Steps), fmt.Sprint(b.Operations), fmt.Sprintf("%.0f", b.NS))
	}
	queries := &table{}
	queries.add("query", "predicted ns")
	for _, q := range s.Queries {
		queries.add(q.Name, fmt.Sprintf("%.0f", q.NS))
	}
	_, err := io.WriteString(w, t.String()+"\n"+orders.String()+"\n"+blocks.String()+"\n"+queries.String())
	return err
}

package view

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/decision"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/picture"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/structure"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// modelInfo is a model as JSON: the whole of it, or the parts that --var, --dsep and --adjust ask
// for.
type modelInfo struct {
	Name        string           `json:"name"`
	Description string           `json:"description,omitempty"`
	Kind        string           `json:"kind"`
	Variables   []varInfo        `json:"variables,omitempty"`
	Potentials  []potentialInfo  `json:"potentials,omitempty"`
	Separations []separationInfo `json:"separations,omitempty"`
	Adjustments []adjustmentInfo `json:"adjustments,omitempty"`
	Consistency *consistencyInfo `json:"consistency,omitempty"` // of a dependency network that is shown as a whole
}

type varInfo struct {
	Name       string   `json:"name"`
	About      string   `json:"description,omitempty"`
	Latent     bool     `json:"latent,omitempty"`
	States     []string `json:"states"`          // empty for a real variable
	Real       bool     `json:"real,omitempty"`  // its values are numbers
	Given      bool     `json:"given,omitempty"` // set from outside
	Parents    []string `json:"parents,omitempty"`
	Children   []string `json:"children,omitempty"`
	Neighbours []string `json:"neighbours,omitempty"` // in a Markov network
	Blanket    []string `json:"blanket"`
	CPD        *cpdInfo `json:"cpd,omitempty"`
}

// cpdInfo is the kind of a factor's distribution and its number of parameters.
type cpdInfo struct {
	Kind    string         `json:"kind"`
	Size    int            `json:"size"`
	Listing *model.Listing `json:"listing,omitempty"` // its numbers, if --var asks for the variable
}

type potentialInfo struct {
	Scope []string `json:"scope"`
	cpdInfo
}

func showModel(ctx context.Context, a *cli.App, path string, f *Options) error {
	if _, err := f.pass(compiler.StageModel); err != nil {
		return err
	}
	var questions []*dsepQuestion
	for _, text := range f.DSep {
		q, err := parseQuestion(text)
		if err != nil {
			return cli.Usagef("--dsep %q: %w", text, err)
		}
		questions = append(questions, q)
	}
	m, err := loadNamed(ctx, a, path, f)
	if err != nil {
		return err
	}
	read := m
	if m, err = unrolled(read); err != nil {
		return err
	}
	if m.Kind == model.Dependency && questions != nil {
		return fmt.Errorf("%s: --dsep is for Bayesian and Markov networks; in a dependency network, the parents of a variable separate it from all else", path)
	}
	v := &modelView{m: m, g: model.NewGraph(m)}
	if read != m {
		v.template = read
	}
	vars, err := v.variables(f.Vars)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	separations, err := v.separations(questions)
	if err == nil {
		v.adjusted, err = v.adjustments(f.Adjust)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	whole := vars == nil && separations == nil && v.adjusted == nil
	switch {
	case f.DOT || f.SVG:
		g, err := v.drawing(ctx, a, path, f, separations)
		if err != nil {
			return err
		}
		return drawGraph(ctx, a, path, f, g)
	case a.JSON && whole && v.blankets() > maxBlankets:
		return fmt.Errorf("%s: the Markov blankets of all variables may have %s names; want at most %s; describe some variables by --var",
			path, table.Thousands(v.blankets()), table.Thousands(maxBlankets))
	case a.JSON:
		return a.PrintJSON(v.info(vars, separations))
	case whole:
		_, err = io.WriteString(a.Stdout, modelText(m))
		return err
	}
	_, err = io.WriteString(a.Stdout, v.text(vars, separations))
	return err
}

// unrolled checks m. Of a template it returns the first two slices, which have all CPDs.
func unrolled(m *model.Model) (*model.Model, error) {
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	if m.Transition != nil {
		m = m.Unroll(2)
	}
	return m, nil
}

// modelView is a model with its graph.
type modelView struct {
	m        *model.Model
	g        *model.Graph
	template *model.Model     // m is two slices of it; nil for other models
	adjusted []adjustmentInfo // the answers to --adjust
}

// maxBlankets bounds the names in the Markov blankets of all variables together: some hundred
// megabytes of JSON.
const maxBlankets = 4_000_000

// blankets returns an upper bound of the number of names in all Markov blankets. The number can be
// large even for a short file: a factor over many variables with one state each is a short text.
func (v *modelView) blankets() int {
	n := 0
	for _, f := range v.m.Factors {
		n += len(f.Scope) * len(f.Scope)
	}
	return n
}

// variables returns the variables with the given names.
func (v *modelView) variables(names []string) ([]model.VarID, error) {
	var out []model.VarID
	for _, name := range names {
		x, ok := v.m.VarByName(name)
		if !ok {
			var known []string
			for _, x := range v.m.Vars {
				known = append(known, x.Name)
			}
			return nil, fmt.Errorf("unknown variable %q%s", name, diag.DidYouMean(name, known))
		}
		out = append(out, x.ID)
	}
	return out, nil
}

// info returns the variables and separations that were asked for, or the whole model if none were.
func (v *modelView) info(vars []model.VarID, separations []separationInfo) modelInfo {
	asked := vars != nil
	out := modelInfo{Name: v.m.Name, Description: v.m.Description, Kind: v.m.Kind.String(), Separations: separations, Adjustments: v.adjusted}
	if vars == nil && separations == nil && v.adjusted == nil {
		out.Consistency = consistencyOf(v.m)
		for _, x := range v.m.Vars {
			vars = append(vars, x.ID)
		}
		for _, f := range v.m.Factors {
			if f.Child < 0 {
				out.Potentials = append(out.Potentials, potentialInfo{varNames(v.m, f.Scope), *cpdOf(f)})
			}
		}
	}
	cpds := make([]*cpdInfo, len(v.m.Vars))
	for _, f := range v.m.Factors {
		if f.Child >= 0 {
			cpds[f.ChildVar()] = cpdOf(f)
			if asked && slices.Contains(vars, f.ChildVar()) {
				cpds[f.ChildVar()].Listing = v.m.List(f, mostListed)
			}
		}
	}
	for _, x := range vars {
		info := varInfo{Name: v.m.Vars[x].Name, About: v.m.Vars[x].Description, Latent: v.m.Vars[x].Latent, Given: v.m.Vars[x].Given, States: v.m.States(x), Real: v.m.IsReal(x), Blanket: varNames(v.m, v.g.Blanket(x)), CPD: cpds[x]}
		if v.m.Kind == model.Markov {
			info.Neighbours = info.Blanket
		} else {
			info.Parents, info.Children = varNames(v.m, v.g.Parents[x]), varNames(v.m, v.g.Children[x])
		}
		out.Variables = append(out.Variables, info)
	}
	return out
}

// cpdOf describes the numbers of a factor.
func cpdOf(f *model.Factor) *cpdInfo { return &cpdInfo{Kind: f.Dist.Kind(), Size: f.Dist.Size()} }

// text returns descriptions of variables and the answers to questions of separation.
func (v *modelView) text(vars []model.VarID, separations []separationInfo) string {
	info := v.info(vars, separations)
	var parts []string
	for i, x := range info.Variables {
		t := &table.Table{}
		t.Add("variable", cli.QuoteName(x.Name))
		if x.About != "" {
			t.Add("description", table.Printable(x.About))
		}
		if x.Real {
			t.Add("values", "real numbers")
		} else {
			t.Add("states", joinNames(x.States))
		}
		if v.m.Kind != model.Markov {
			t.Add("parents", listNames(x.Parents))
			t.Add("children", listNames(x.Children))
		}
		t.Add("Markov blanket", listNames(x.Blanket))
		if tied := v.tied(vars[i]); tied != nil {
			t.Add("tied with", joinNames(varNames(v.m, tied)))
		}
		if x.Given {
			t.Add("CPD", "none: the variable is given")
		}
		var numbers string
		for _, f := range v.m.Factors {
			switch {
			case f.Child >= 0 && f.ChildVar() == vars[i]:
				t.Add("CPD", cpdOf(f).String())
				numbers += numbersText(v.m, f)
			case f.Child < 0 && slices.Contains(f.Scope, vars[i]):
				t.Add("potential", joinNames(varNames(v.m, f.Scope))+": "+cpdOf(f).String())
				numbers += numbersText(v.m, f)
			}
		}
		parts = append(parts, t.String()+numbers)
	}
	for _, s := range separations {
		parts = append(parts, s.text(v.m.Kind))
	}
	for _, a := range v.adjusted {
		parts = append(parts, a.text())
	}
	return strings.Join(parts, "\n")
}

// String returns the kind and the size.
func (c *cpdInfo) String() string { return fmt.Sprintf("%s, size %s", c.Kind, table.Thousands(c.Size)) }

// listNames joins names, and returns "none" for none.
func listNames(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return joinNames(names)
}

// modelText returns the variables of a model with their states and parents, and the scopes of its
// potentials and utilities. For a dependency network it adds whether the CPDs are consistent.
func modelText(m *model.Model) string {
	head := fmt.Sprintf("%s %q, %d %s, %d %s\n", m.Kind, m.Name, len(m.Vars), table.Plural("variable", len(m.Vars)), len(m.Factors), table.Plural("factor", len(m.Factors)))
	if m.Description != "" {
		head += table.Printable(m.Description) + "\n"
	}
	t := &table.Table{}
	for _, v := range m.Vars {
		states := v.Domain.String()
		if names := v.Domain.Names(); names != nil {
			states = "{" + joinNames(names) + "}"
		}
		parents := ""
		switch d, cpd := m.Decides(v.ID), m.CPD(v.ID); {
		case d != nil:
			states += " decision"
			if len(d.Known) > 0 {
				parents = "knows " + joinNames(varNames(m, d.Known))
			}
		case v.Given:
			states += " given"
		case cpd != nil && len(cpd.Parents()) > 0:
			parents = "| " + joinNames(varNames(m, cpd.Parents()))
		}
		t.Add(cli.QuoteName(v.Name), parents, states)
	}
	text := head + t.String()
	for _, f := range m.Factors {
		if f.Child < 0 {
			text += "potential " + joinNames(varNames(m, f.Scope)) + "\n"
		}
	}
	if m.Diagram != nil {
		for _, u := range m.Diagram.Utilities {
			of := "of " + listNames(varNames(m, u.Scope))
			if u.Function != nil {
				function, err := m.Diagram.FunctionText(u)
				if of = "= " + function; err != nil {
					of = "is a function of others"
				}
			}
			text += "utility " + cli.QuoteName(u.Name) + " " + of + "\n"
		}
	}
	if c := consistencyOf(m); c != nil {
		text += c.text()
	}
	return text
}

// drawing returns the graph of the model. Posteriors fill its nodes if flags ask for them, and
// questions of separation colour the given variables and the trails.
func (v *modelView) drawing(ctx context.Context, a *cli.App, path string, f *Options, separations []separationInfo) (*draw.Graph, error) {
	out := structure.Graph(v.m, v.g)
	if err := f.fits(path, "graph", len(out.Nodes), len(out.Edges)); err != nil {
		return nil, err
	}
	if err := v.fill(ctx, a, path, f, out); err != nil {
		return nil, err
	}
	for _, s := range separations {
		for _, x := range s.given {
			out.Nodes[x].Tone = draw.Grey
		}
		for _, x := range s.trail {
			out.Nodes[x].Bold = true
			if out.Nodes[x].Tone == draw.Blue {
				out.Nodes[x].Tone = draw.Amber
			}
		}
	}
	if v.template != nil {
		structure.Frame(out, v.template)
	}
	return out, nil
}

// byInformation is the value of --strength for mutual information.
const byInformation = "mi"

// fill adds posteriors and the strengths of edges to a drawing.
func (v *modelView) fill(ctx context.Context, a *cli.App, path string, f *Options, g *draw.Graph) error {
	if f.Strength != "" && f.Strength != byInformation {
		if err := picture.ReadStrengths(f.Strength, g); err != nil {
			return err
		}
	}
	bars := f.Bars || f.Evidence != nil || f.Strategy != ""
	if !bars && f.Strength != byInformation {
		return nil
	}
	flags, err := cli.ParseEvidence(f.Evidence, nil, nil)
	if err != nil {
		return err
	}
	known, err := flags.Findings(v.m)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	opt, err := a.Options(v.m, &f.ModelFlags)
	if err != nil {
		return err
	}
	defer a.Progress("answering "+filepath.Base(path), nil).Stop()
	m, err := decision.Follow(ctx, a, path, v.m, known, opt.Rows, f.Strategy)
	if err != nil {
		return err
	}
	b, err := picture.Ask(ctx, a, path, m, opt, known)
	if err != nil {
		return err
	}
	if bars {
		b.Fill(g)
	}
	if f.Strength == byInformation {
		return b.MutualInformation(ctx, g)
	}
	return nil
}

// Package sql is the work of pgmc sql: it reads a model, compiles it if variables are eliminated,
// and prints the query that package codegen/sql writes.
package sql

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/counting"
	"github.com/pgmc-go/pgmc/codegen/sql"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/sqltext"
	"github.com/pgmc-go/pgmc/learn/counts"
)

// Options are the flags of pgmc sql.
type Options struct {
	cli.ModelFlags
	Dialect     cli.Choice
	Table       string
	Key         string
	Params      string
	Coded       bool
	WithMissing bool
}

// query is one thing that the command prints, and the flags beside --dialect that it takes.
type query struct {
	name  string
	takes string
	write func(r *request) (string, error)
}

// queries lists what the command prints.
var queries = []query{
	{"check", "table coded", func(r *request) (string, error) { return r.named(r.q.Check()) }},
	{"score", "table key params coded with-missing", (*request).score},
	{"posterior", "table key params coded with-missing", (*request).posterior},
	{"count", "table coded", (*request).count},
	{"params", "params", func(r *request) (string, error) { return r.named(r.q.Parameters()) }},
}

// Names returns what the command prints.
func Names() (list []string) {
	for _, x := range queries {
		list = append(list, x.name)
	}
	return list
}

// request is one run of the command.
type request struct {
	*cli.App
	ctx    context.Context
	path   string
	target string
	f      *Options
	m      *model.Model // as read
	opt    compiler.Options
	q      *sql.Query
}

// Check returns a mistake in the operands: a model, what to print, and for a posterior its target.
func Check(args []string) error {
	switch {
	case len(args) < 2:
		return cli.WrongCount(args, "a model and one of "+strings.Join(Names(), ", "))
	case !slices.Contains(Names(), args[1]):
		return cli.Usagef("found %q; want %s", args[1], strings.Join(Names(), ", "))
	case args[1] == "posterior" && len(args) != 3:
		return cli.Usagef("posterior wants one operand more: a variable, or a signature such as 'A | B, C'")
	case args[1] != "posterior" && len(args) != 2:
		return cli.Usagef("%s takes no further operand; found %q", args[1], args[2])
	}
	return nil
}

// Run prints a query about a model. Check has seen the operands.
func Run(ctx context.Context, a *cli.App, args []string, f *Options) error {
	what := queries[slices.IndexFunc(queries, func(x query) bool { return x.name == args[1] })]
	r := &request{App: a, ctx: ctx, path: args[0], f: f}
	if len(args) == 3 {
		r.target = args[2]
	}
	if err := f.check(&what); err != nil {
		return err
	}
	if err := r.load(); err != nil {
		return err
	}
	text, err := what.write(r)
	if err != nil {
		return err
	}
	_, err = io.WriteString(a.Stdout, text)
	return err
}

// check refuses flags that x does not take, and asks for those that it needs.
func (f *Options) check(x *query) error {
	takes := strings.Fields(x.takes)
	for _, flag := range []struct {
		name string
		set  bool
	}{{"table", f.Table != ""}, {"key", f.Key != ""}, {"params", f.Params != ""}, {"coded", f.Coded}, {"with-missing", f.WithMissing}} {
		switch taken := slices.Contains(takes, flag.name); {
		case flag.set && !taken:
			return cli.Usagef("%s takes no --%s", x.name, flag.name)
		case !flag.set && flag.name == takes[0]:
			return cli.Usagef("%s wants --%s with the name of a table", x.name, flag.name)
		}
	}
	return nil
}

// load reads the model and describes the table.
func (r *request) load() (err error) {
	if r.m, r.opt, err = r.LoadWithOptions(r.ctx, r.path, &r.f.ModelFlags); err != nil {
		return err
	}
	d, err := sqltext.Find(r.f.Dialect.Value)
	if err != nil {
		return err
	}
	normal, list := r.m.NormalizeRows(r.opt.Rows)
	r.Warn(list.Warnings())
	r.q = &sql.Query{Model: normal, Dialect: d, Table: r.f.Table, Coded: r.f.Coded, Params: r.f.Params}
	if r.f.Key != "" {
		r.q.Key = strings.Split(r.f.Key, ",")
	}
	return list.Err()
}

// count returns the statements that count the families of the model.
func (r *request) count() (string, error) {
	vars, families, err := counting.FamiliesOf(r.m)
	if err != nil {
		return "", err
	}
	q := counts.Query{Dialect: r.q.Dialect, Table: r.q.Table, Vars: vars, Coded: r.q.Coded}
	list, err := q.Statements(families)
	text := ""
	for _, s := range list {
		text += s.Text
	}
	return text, err
}

// named adds the path of the model to an error without a position.
func (r *request) named(text string, err error) (string, error) {
	if err != nil {
		err = r.CompileError(r.path, err)
	}
	return text, err
}

// score returns the query of ln P.
func (r *request) score() (string, error) {
	if !r.f.WithMissing && r.m.Kind != model.Markov {
		return r.named(r.q.Score())
	}
	c, err := r.compile(r.q.Model, &ir.Query{Kind: ir.LogProb})
	if err != nil {
		return "", err
	}
	if r.f.WithMissing {
		return r.named(r.q.Eliminate(c.Program, &c.Program.Entries[0], r.missing(-1)))
	}
	r.q.LogZ = c.Program.LogZ
	return r.named(r.q.Score())
}

// posterior returns the query of a posterior.
func (r *request) posterior() (string, error) {
	list, err := compiler.ParseQueries([]string{r.target}, r.m)
	if err != nil {
		return "", cli.Usage(err)
	}
	x, m := list[0], r.q.Model
	if len(list) > 1 || x.Kind != ir.Posterior && x.Kind != ir.Signature {
		return "", cli.Usagef("posterior wants a variable, or a signature such as 'A | B, C'; found %q", r.target)
	}
	target := x.Targets[0]
	observed := r.missing(target)
	if x.Kind == ir.Signature {
		if observed, err = r.signature(x); err != nil {
			return "", err
		}
		m = r.cut(x)
	} else if !r.f.WithMissing {
		return r.named(r.q.Posterior(target))
	}
	c, err := r.compile(m, &ir.Query{Kind: ir.Posterior, Targets: []model.VarID{target}})
	if err != nil {
		return "", err
	}
	return r.named(r.q.Eliminate(c.Program, &c.Program.Entries[0], observed))
}

// missing returns how the cells of all variables but one enter a query for rows with missing cells.
// A given variable has no distribution to sum it out by.
func (r *request) missing(but model.VarID) []sql.Observation {
	observed := make([]sql.Observation, len(r.m.Vars))
	for _, v := range r.m.Observable() {
		switch {
		case v == but:
		case r.m.Vars[v].Given:
			observed[v] = sql.Required
		default:
			observed[v] = sql.Optional
		}
	}
	return observed
}

// signature returns how the evidence of x enters the query.
func (r *request) signature(x *ir.Query) ([]sql.Observation, error) {
	observed := make([]sql.Observation, len(r.m.Vars))
	for _, v := range x.Evidence {
		if observed[v] = sql.Required; r.f.WithMissing && !r.m.Vars[v].Given && !slices.Contains(x.Do, v) {
			observed[v] = sql.Optional
		}
	}
	for _, v := range r.m.Vars {
		if v.Given && observed[v.ID] == sql.Unobserved {
			return nil, cli.Usagef("variable %q is given and has no distribution; add it after the bar of %q", v.Name, r.target)
		}
	}
	return observed, nil
}

// cut returns the model in which the variables set by intervention have no parents. Their states
// are evidence, so that any distribution without zeros serves.
func (r *request) cut(x *ir.Query) *model.Model {
	by := map[model.VarID]model.Dist{}
	for _, v := range x.Do {
		uniform := &model.Table{}
		for range r.m.Card(v) {
			uniform.Values = append(uniform.Values, 1/float64(r.m.Card(v)))
		}
		by[v] = uniform
	}
	return r.q.Model.DoBy(by)
}

// compile compiles one query of m, whose rows are normalised.
func (r *request) compile(m *model.Model, x *ir.Query) (*compiler.Result, error) {
	if err := sql.Eliminable(m); err != nil {
		return nil, r.CompileError(r.path, err)
	}
	opt := r.opt
	opt.Rows, opt.Queries = model.RowsAsIs, []string{compiler.Specification(m, x)}
	return r.Compile(r.ctx, r.path, m, opt, nil)
}

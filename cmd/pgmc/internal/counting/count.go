package counting

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/counts"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// Options are the flags of pgmc count.
type Options struct {
	From           Flags
	Add            bool
	Families, Out  string
	Real           []string
	Format, Unseen cli.Choice
	Data           cli.DataFlags
}

// CheckRows returns an error if flags about rows do not fit what is counted. given reports whether
// a flag is there.
func (f *Options) CheckRows(given func(flag string) bool) error {
	switch {
	case f.Add || f.From.Table != "":
		return RefuseRows(given, "columns", "drop")
	case f.Families != "" && f.Data.Columns != nil:
		return cli.Usagef("--columns: the families name the columns that are read; leave it out")
	case f.Families != "" && given("unseen"):
		return cli.Usagef("--unseen: with --families each value is a state; leave it out")
	}
	return nil
}

// Run counts the families of a model or of --families in rows or in a table, or adds two files of
// counts, and writes the counts.
func Run(ctx context.Context, a *cli.App, args []string, f *Options) error {
	c, err := f.count(ctx, a, args)
	if err != nil {
		return err
	}
	if err := WriteFile(a, f.Out, c); err != nil || f.Out == "" || f.Out == cli.Standard {
		return err
	}
	n := len(c.Families())
	if a.JSON {
		return a.PrintJSON(struct {
			Rows     float64 `json:"rows"`
			Families int     `json:"families"`
		}{c.Rows, n})
	}
	_, err = fmt.Fprintf(a.Stdout, "%s: %d families of %d variables, %v rows\n", f.Out, n, len(c.Vars), c.Rows)
	return err
}

func (f *Options) count(ctx context.Context, a *cli.App, args []string) (*counts.Counts, error) {
	if f.Add {
		return add(args, int64(a.MaxMem))
	}
	var lists [][]string // names, by family
	var vars []data.Var
	var err error
	if f.Families != "" {
		lists, err = counts.ReadFamilies(f.Families)
		if bad := (counts.NamesError{}); errors.As(err, &bad) {
			err = cli.Usage(err)
		}
	} else {
		vars, lists, err = f.ofModel(ctx, a, args[0])
	}
	if err != nil {
		return nil, err
	}
	if f.From.Table != "" {
		return f.inTable(ctx, a, vars, lists)
	}
	return f.inRows(ctx, a, args[len(args)-1], vars, lists)
}

// add returns the sum of two files of counts.
func add(args []string, maxMem int64) (*counts.Counts, error) {
	c, err := ReadFile(args[0], maxMem)
	if err != nil {
		return nil, err
	}
	other, err := ReadFile(args[1], maxMem)
	if err == nil {
		if err = c.Add(other); err != nil {
			err = fmt.Errorf("%s and %s: %w", args[0], args[1], err)
		}
	}
	return c, err
}

// ofModel returns the variables and the scopes of the factors of a model.
func (f *Options) ofModel(ctx context.Context, a *cli.App, path string) (vars []data.Var, lists [][]string, err error) {
	m, err := a.Load(ctx, path, f.Format.Value)
	if err != nil {
		return nil, nil, err
	}
	if lists, err = scopes(m); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return data.VarsOf(m), lists, nil
}

// scopes returns the names of the variables of each factor.
func scopes(m *model.Model) (lists [][]string, err error) {
	if m.Transition != nil {
		return nil, errors.New("the model has a transition from slice to slice; counts are of independent rows")
	}
	if i := slices.IndexFunc(m.Vars, func(v *model.Var) bool { return v.Latent }); i >= 0 {
		return nil, fmt.Errorf("the variable %q is latent, and no row has its value", m.Vars[i].Name)
	}
	for _, x := range m.Factors {
		var names []string
		for _, v := range x.Scope {
			names = append(names, m.Vars[v].Name)
		}
		lists = append(lists, names)
	}
	return lists, nil
}

// FamiliesOf returns the variables of a model and the families that pgmc count counts.
func FamiliesOf(m *model.Model) (vars []data.Var, families []data.Family, err error) {
	lists, err := scopes(m)
	if err != nil {
		return nil, nil, err
	}
	vars = data.VarsOf(m)
	families, err = counts.Families(vars, lists)
	return vars, families, err
}

// columns returns the columns that the families of a file need, and the real ones among them.
func (f *Options) columns(lists [][]string) (o Columns, err error) {
	for _, names := range lists {
		for _, name := range names {
			if !slices.Contains(o.Only, name) {
				o.Only = append(o.Only, name)
			}
		}
	}
	o.Real, err = cli.NamesOf("--real", f.Real...)
	return o, err
}

// inTable counts in a table of a database.
func (f *Options) inTable(ctx context.Context, a *cli.App, vars []data.Var, lists [][]string) (*counts.Counts, error) {
	columns, err := f.columns(lists)
	if err != nil {
		return nil, err
	}
	c, err := f.From.Open(ctx, a, vars, columns, "")
	if err != nil {
		return nil, err
	}
	families, err := counts.Families(c.Vars, lists)
	if err == nil {
		_, err = c.Count(append([]data.Family{{}}, families...))
	}
	return c, err
}

// inRows counts in the rows of a file: of a model, one by one; and of other variables after all
// rows have been read, since their values are the states.
func (f *Options) inRows(ctx context.Context, a *cli.App, path string, vars []data.Var, lists [][]string) (*counts.Counts, error) {
	if vars == nil {
		return f.inMemory(ctx, a, path, lists)
	}
	families, err := counts.Families(vars, lists)
	if err != nil {
		return nil, err
	}
	c, err := counts.OfRows(vars, families, int64(a.MaxMem))
	if err != nil {
		return nil, err
	}
	r, err := a.OpenData(ctx, path, &f.Data, cli.Train)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	a.WarnColumns(r, vars, nil)
	unseen := rowfile.UnseenError
	if f.Unseen.Value == "missing" {
		unseen = rowfile.UnseenMissing
	}
	b, err := r.Bind(vars, unseen)
	if err != nil {
		return nil, err
	}
	b.Only()
	states, values := make([]int, len(vars)), make([]float64, len(vars))
	return c, b.EachBlock(ctx, rowfile.BlockOptions{Cores: a.Cores(), Then: func(k *rowfile.Block) error {
		for row := range k.Rows {
			k.Row(row, states, values)
			c.Row(states, values, k.Weight(row))
		}
		return nil
	}})
}

// inMemory counts in the rows of a file of which the values are the states.
func (f *Options) inMemory(ctx context.Context, a *cli.App, path string, lists [][]string) (*counts.Counts, error) {
	columns, err := f.columns(lists)
	if err != nil {
		return nil, err
	}
	read := f.Data
	read.Columns = nil
	for _, name := range columns.Only {
		read.Columns = append(read.Columns, fmt.Sprintf("%q", name))
	}
	set, err := a.LoadData(ctx, path, &read, cli.Train, rowfile.LoadOptions{MaxMem: int64(a.MaxMem), Real: columns.Real})
	if err != nil {
		return nil, err
	}
	families, err := counts.Families(set.Vars, lists)
	if err != nil {
		return nil, err
	}
	c, err := counts.OfRows(set.Vars, families, int64(a.MaxMem))
	if err != nil {
		return nil, err
	}
	states, values := make([]int, len(set.Vars)), make([]float64, len(set.Vars))
	for row := range set.Len() {
		set.Row(row, states)
		c.Row(states, set.Values(row, values), set.Weight(row))
	}
	return c, ctx.Err()
}

package convert

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/view"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/discretize"
)

// Options are the flags of pgmc convert.
type Options struct {
	From, To      cli.Choice // empty: by extension
	Strict        bool
	Model, Schema string        // for data
	Data          cli.DataFlags // for data
	Observed      []string      // for data: the columns that get an observability variable
	Discretize    int           // intervals of each real variable; 0 leaves them real
	Slices        string        // of cli.Fold
	Skeleton      []string      // tables of the objects of plates
	Row           string        // with a skeleton: the file for its values
	Parameters    string        // with a skeleton: the network to take the parameters from
}

// Run converts the file in to the file out.
func Run(ctx context.Context, a *cli.App, in, out string, f *Options) error {
	if f.From.Value == "" && isData(in, out) {
		if len(f.Skeleton) > 0 {
			return cli.Usagef("--skeleton is for the plates of a model; %s is data", in)
		}
		return convertData(ctx, a, in, out, f)
	}
	if f.Observed != nil {
		return cli.Usagef("--observed is for data; %s is a model", in)
	}
	if f.Model != "" || f.Schema != "" {
		return cli.Usagef("--model and --schema are for data; %s is a model", in)
	}
	to, err := cli.OutputFormat(out, f.To.Value)
	if err != nil {
		return err
	}
	defer a.Progress("converting "+filepath.Base(in), nil).Stop()
	if f.Row != "" && slices.ContainsFunc(append([]string{in, out}, f.Skeleton...), func(path string) bool { return filepath.Clean(path) == filepath.Clean(f.Row) }) {
		return cli.Usagef("--row %s is a file of the model or of --skeleton too; want another", f.Row)
	}
	m, values, err := ground(ctx, a, in, f)
	if err == nil {
		m, err = cli.Fold(m, in, f.Slices)
	}
	if err != nil {
		return err
	}
	if f.Discretize != 0 {
		if m, err = discretized(ctx, a, m, f.Discretize); err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
	}
	switch {
	case to.Name == format.LibraDN:
		m, err = dependency(ctx, a, m)
	case to.Name == format.LibraAC || to.Name == format.LibraSPN:
		m, err = compiled(ctx, a, in, m)
	}
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if values == nil {
		return a.WriteModel(to, out, m, f.Strict)
	}
	row, err := a.ResultFile(f.Row)
	if err != nil {
		return err
	}
	if err = a.WriteModel(to, out, m, f.Strict); err == nil {
		err = csv.NewWriter(row).WriteAll(values)
	}
	return row.Finish(err)
}

// isData reports whether files are data: by the extension of the file in or, if that is a folder or
// a pattern, of the file out.
func isData(in, out string) bool {
	if slices.Contains(DataIn, extension(in)) {
		return true
	}
	parts, _ := rowfile.FindParts(in)
	return parts != nil && slices.Contains(DataOut, extension(out))
}

// discretized returns the network with intervals in place of real variables, and prints their cost.
func discretized(ctx context.Context, a *cli.App, m *model.Model, intervals int) (*model.Model, error) {
	if intervals < 2 || intervals > model.MaxStates {
		return nil, cli.Usagef("--discretize is %d; want 2 to %d", intervals, model.MaxStates)
	}
	r, err := discretize.Model(ctx, m, discretize.Options{Intervals: intervals, Seed: a.Seed, MaxTable: a.MaxTable})
	switch {
	case err != nil:
		return nil, err
	case a.Quiet:
		return r.Model, nil
	}
	type loss struct {
		name string
		nats float64
	}
	var most []loss
	for v, x := range r.Loss {
		if x > 0 {
			most = append(most, loss{m.Vars[v].Name, x})
		}
	}
	slices.SortStableFunc(most, func(x, y loss) int { return cmp.Compare(y.nats, x.nats) })
	text := ""
	for _, x := range most[:min(3, len(most))] {
		text += fmt.Sprintf(", %s %.3g", x.name, x.nats)
	}
	text = fmt.Sprintf("the intervals cost %.4g nats%s\n", r.KL(), text)
	if len(r.Sampled) > 0 {
		var names []string
		for _, v := range r.Sampled {
			names = append(names, m.Vars[v].Name)
		}
		text += fmt.Sprintf("numbers from %d samples with seed %d: %s\n", discretize.DefaultSamples, a.Seed, cli.QuoteSome(names))
	}
	_, err = fmt.Fprint(a.Stderr, text)
	return r.Model, err
}

// compiled returns m if it is one circuit over all variables, and otherwise compiles it to one.
func compiled(ctx context.Context, a *cli.App, in string, m *model.Model) (*model.Model, error) {
	whole := 0
	for _, f := range m.Factors {
		switch {
		case f.Circuit() != nil && len(f.Scope) == len(m.Vars):
			whole++
		case len(f.Scope) > 0:
			whole += 2 // something else
		}
	}
	if m.Kind == model.Dependency || m.Kind == model.Markov && whole == 1 {
		return m, nil
	}
	out, err := view.Compiled(ctx, a, in, m)
	if err != nil || a.Quiet {
		return out, err
	}
	d := out.Factors[0].Circuit()
	_, err = fmt.Fprintf(a.Stderr, "compiled to a circuit of %s nodes and %s edges\n", table.Thousands(len(d.Nodes)), table.Thousands(d.Edges()))
	return out, err
}

// maxConditionals is the most numbers of a dependency network that is made from another network:
// some 100 MB of text.
const maxConditionals = 1 << 22

// dependency returns the dependency network of m, and warns of rows that are uniform.
func dependency(ctx context.Context, a *cli.App, m *model.Model) (*model.Model, error) {
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	uniform := 0
	dn, err := cli.Await(ctx, func() (dn *model.Model, err error) {
		dn, uniform, err = m.Dependency(min(a.MaxTable, maxConditionals))
		return dn, err
	})
	if err == nil && uniform > 0 {
		var list diag.List
		list.Warnf(diag.Pos{File: m.File}, "%d %s of the conditional distributions %s uniform: the states of the blanket are impossible", uniform, table.Plural("row", uniform),
			map[bool]string{true: "is", false: "are"}[uniform == 1])
		a.Warn(list.Warnings())
	}
	return dn, err
}

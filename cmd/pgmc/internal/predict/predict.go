package predict

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// Options are the flags of pgmc predict.
type Options struct {
	cli.ModelFlags
	cli.MethodFlags
	Targets    []string // the variables to predict, as cli.NamesOf reads them
	Unseen     cli.Choice
	Impossible cli.Choice
	Data       cli.Choice
	Interval   float64 // probability of the intervals of real targets; 0 for none
	File       string  // output file; empty for standard output
}

// Run predicts targets of the rows of the file dataPath by the model at path.
func Run(ctx context.Context, a *cli.App, path, dataPath string, f *Options) error {
	if f.Targets == nil {
		return cli.Usagef("--targets is missing; want the variables to predict")
	}
	if !(f.Interval >= 0 && f.Interval < 1) {
		return cli.Usagef("--interval is %v; want a probability from 0 to below 1", f.Interval)
	}
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return err
	}
	targets, err := f.targetVars(m)
	if err != nil {
		return err
	}
	opt.Method = f.MethodFlags.Options(&opt)
	approximate, err := cli.PosteriorQuery(opt.MethodName())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	opt.Queries = []string{"marginals"}
	if approximate != "" {
		opt.Queries = []string{approximate}
	} else if len(targets) == 1 { // one posterior needs one pass over the tree, all marginals two
		opt.Queries = []string{strconv.Quote(m.Vars[targets[0]].Name)}
	}
	rows, err := a.OpenData(ctx, dataPath, &f.Data)
	if err != nil {
		return err
	}
	defer rows.Close()
	p := &predictor{App: a, file: dataPath, rows: rows, model: m, targets: targets, skipImpossible: f.Impossible.Value == "empty", interval: f.Interval}
	if err := p.bind(f.Unseen.Value == "missing"); err != nil {
		return err
	}
	defer a.Progress("predicting "+filepath.Base(dataPath), p.done.Load).Stop()
	r, err := a.Compile(ctx, path, m, opt, nil)
	if err != nil {
		return err
	}
	p.by = rate.NewPredictor(infer.Of(r, a.Seed), targets...)
	out, err := a.ResultFile(f.File)
	if err != nil {
		return err
	}
	if a.JSON && f.File == "" {
		out.Writer = io.Discard
	}
	if err := out.Finish(p.run(ctx, out)); err != nil {
		return err
	}
	return p.report()
}

// targetVars returns the variables that --targets names.
func (f *Options) targetVars(m *model.Model) ([]model.VarID, error) {
	names, err := cli.NamesOf("--targets", f.Targets...)
	if err != nil {
		return nil, err
	}
	return cli.NamedVars(m, "--targets", names)
}

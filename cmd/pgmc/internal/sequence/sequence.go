// Package sequence answers questions about sequences: rows of a data file are the slices of a
// network with a transition, from the first to the last. It writes lines of JSON, or text.
//
// It computes nothing: package infer does.
package sequence

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/meanfield"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// Options say what to write.
type Options struct {
	Filter     bool // the posteriors of each slice given the evidence up to it
	Smooth     bool // those given all evidence
	Viterbi    bool // a most probable path
	Beam       int  // of Viterbi: the path that a beam of as many states finds; 0 for the most probable one
	Innovation bool // what each slice differs from its prediction by
	// Gate is the share of the measurements that the model expects to pass its gate; above 0, it
	// says with Innovation which do. 0 means none.
	Gate    float64
	Lag     int // those of each slice given the evidence up to Lag slices later; negative for none
	Predict int // as many slices more after the last one, with Filter
	Slices  slicing.Flags
	Targets []bool // by variable: write its posterior
	JSON    bool
	// MeanField, if not nil, are the options of structured mean field, which smooths then.
	MeanField *meanfield.Options
	// Window is the number of slices in which By, if not nil, filters.
	Window int
	By     method.Options
	CSV    bool // posteriors as comma-separated values
	SVG    bool // a picture of the posteriors over time
	// Picture is the file of the picture. Its ending chooses PNG or PDF in place of SVG.
	Picture string
	// Notes gets a line if the beliefs of a sequence are more than memory allows, so that parts of
	// it are gone over again; nil for none.
	Notes io.Writer
}

// AddTo declares the flags of o, except for Lag.
func (o *Options) AddTo(fl *pflag.FlagSet) {
	fl.BoolVar(&o.Filter, "filter", false, "of a sequence: the posteriors of each slice given the evidence up to it")
	fl.BoolVar(&o.Smooth, "smooth", false, "of a sequence: the posteriors of each slice given all evidence")
	fl.BoolVar(&o.Viterbi, "viterbi", false, "of a sequence: a most probable completion")
	fl.IntVar(&o.Beam, "beam", 0, "of --viterbi: the best path found if this `number` of states of a slice are kept, for models too wide for tables; it says whether the path is proven")
	fl.BoolVar(&o.Innovation, "innovation", false, "of a sequence: what each row differs from its prediction by, and the normalised squared distance")
	fl.Float64Var(&o.Gate, "gate", 0, "of a sequence: --innovation, and whether a row is within what this `share` of measurements is, as in 0.99")
	fl.IntVar(&o.Predict, "predict", 0, "of a sequence: this `number` of slices after the last row")
	fl.IntVar(&o.Window, "window", 0, "of a sequence: filter by --method "+belief.Method.Name+", or "+compiler.By(method.MixedGaussians).Value+" or "+compiler.By(method.Projection).Value+" for real variables, in a window of this `number` of slices, without a table of their joint states or histories")
	fl.StringVar(&o.Slices.Column, "sequence-column", "", "the `column` that names the sequence of a row; rows of one value are one sequence")
	o.Slices.AddTo(fl)
}

// Engine returns an engine for the answers that o asks for: with a program of the query, unless a
// beam or structured mean field computes them. settings are the method's.
func Engine(ctx context.Context, a *cli.App, path string, m *model.Model, opt compiler.Options, settings []string, o *Options) (*infer.Engine, error) {
	if opt.MethodName() == meanfield.Method.Name && o.Window == 0 {
		if !o.Smooth {
			return nil, cli.Usagef("--method %s answers --smooth of sequences; add --smooth, or leave out --method", opt.MethodName())
		}
		o.MeanField = meanfield.NewOptions()
		fs := options.Flags(o.MeanField)
		for _, s := range settings {
			name, value, _ := strings.Cut(s, "=")
			if err := fs.Set(name, value); err != nil {
				return nil, cli.Usagef("--%s: %v", name, err)
			}
		}
	}
	if err := o.inWindow(m, &opt); err != nil {
		return nil, err
	}
	if o.Beam > 0 || o.MeanField != nil || o.By != nil {
		return infer.New(ctx, m, infer.Options{Rows: opt.Rows, Seed: a.Seed})
	}
	r, err := a.Compile(ctx, path, m, opt, nil)
	if err != nil {
		return nil, err
	}
	return infer.Of(r, a.Seed), nil
}

// inWindow sets By if the options ask for a window of m, which belief propagation does without
// another method: or method clg if there are real variables, or ep if that does not take m.
func (o *Options) inWindow(m *model.Model, opt *compiler.Options) error {
	switch {
	case o.Window == 0 && slices.Contains([]string{belief.Method.Name, compiler.By(method.MixedGaussians).Value, compiler.By(method.Projection).Value}, opt.MethodName()):
		return cli.Usagef("--method %s filters sequences in a window of slices; add --window 5, for instance", opt.MethodName())
	case o.Window == 0:
		return nil
	case o.Lag >= o.Window:
		return cli.Usagef("--window is %d and --lag is %d; want a window of more slices than --lag", o.Window, o.Lag)
	case o.Smooth || o.Viterbi || o.Innovation || o.Beam > 0:
		return cli.Usagef("--window answers --filter, --predict and --lag; leave it out for --smooth, --viterbi, --innovation and --gate")
	}
	if o.By = opt.Method; opt.MethodName() == "" || opt.MethodName() == compiler.Auto {
		name := belief.Method.Name
		switch traits := m.Traits(); {
		case traits&(model.Funcs|model.SoftChildren) != 0:
			name = compiler.By(method.Projection).Value
		case len(m.Reals()) > 0:
			name = compiler.By(method.MixedGaussians).Value
		}
		o.By = compiler.Named(name)
	}
	return nil
}

// Query returns the query to compile.
func (o *Options) Query() string {
	switch {
	case o.Viterbi:
		return "viterbi"
	case o.Smooth || o.Lag >= 0:
		return "smooth"
	case o.Innovation:
		return "innovation"
	}
	return "filter"
}

// Run answers the rows of in by the engine e, in the order of the file.
func Run(ctx context.Context, e *infer.Engine, in *rowfile.Reader, out io.Writer, opt *Options) error {
	s, err := newSource(e, in, &opt.Slices, rowfile.UnseenError)
	if err != nil {
		return err
	}
	w := newWriter(e, out, opt)
	w.named, w.times = s.names.Named(), s.times
	answer := whole
	switch {
	case opt.Filter, opt.Innovation:
		answer = filter
	case opt.Lag >= 0:
		answer = lag
	}
	if err := answer(ctx, e, s, w); err != nil || w.film == nil {
		return err
	}
	return w.film.write(out, opt.Picture)
}

// stepper is a filter or a window.
type stepper interface {
	Step(ctx context.Context, given infer.Given) (*infer.Marginals, error)
	Len() int
}

// newStepper returns what filters a sequence.
func newStepper(ctx context.Context, e *infer.Engine, opt *Options) (stepper, error) {
	if opt.By != nil {
		return e.Window(opt.By, opt.Window)
	}
	f, err := e.Filter(ctx)
	if err == nil {
		_ = f.Bound(ctx) // without clusters, or if the bounds are unknown, answers have none
	}
	return f, err
}

// late is a window that answers about slices some slices ago.
type late struct {
	*infer.Window
	lag int
}

// Step implements [laggedStepper].
func (l late) Step(ctx context.Context, given infer.Given) (*infer.Marginals, error) {
	if _, err := l.Window.Step(ctx, given); err != nil {
		return nil, err
	}
	return l.Ago(l.lag), nil
}

// Rest implements [laggedStepper].
func (l late) Rest(context.Context) (list []infer.Marginals, err error) {
	for ago := min(l.lag, l.Len()) - 1; ago >= 0; ago-- {
		list = append(list, *l.Ago(ago))
	}
	return list, nil
}

// laggedStepper answers about each slice when some more are known; see [infer.Lagged].
type laggedStepper interface {
	Step(ctx context.Context, given infer.Given) (*infer.Marginals, error)
	Rest(ctx context.Context) ([]infer.Marginals, error)
}

// newLagged returns what answers with a lag.
func newLagged(ctx context.Context, e *infer.Engine, opt *Options) (laggedStepper, error) {
	if opt.By != nil {
		w, err := e.Window(opt.By, opt.Window)
		return late{w, opt.Lag}, err
	}
	return e.Lagged(ctx, opt.Lag)
}

// filter answers each row when it has been read. Sequences keep apart.
func filter(ctx context.Context, e *infer.Engine, s *source, w *writer) error {
	filters := map[string]stepper{}
	var order []string
	watch, err := newWatch(ctx, e, w.opt)
	if err != nil {
		return err
	}
	err = s.each(func(r *row) error {
		f := filters[r.of]
		if f == nil {
			var err error
			if f, err = newStepper(ctx, e, w.opt); err != nil {
				return err
			}
			filters[r.of], order = f, append(order, r.of)
		}
		var differs *infer.Innovation
		if w.opt.Innovation {
			var err error
			if differs, err = f.(*infer.Filter).Innovation(ctx, r.found); err != nil {
				return r.at(err)
			}
		}
		m, err := f.Step(ctx, r.found)
		if err != nil {
			return r.at(err)
		}
		if of, ok := f.(*infer.Filter); ok {
			watch.slice(r.pos, of.Histories())
		}
		if differs != nil {
			return w.innovation(r.of, f.Len()-1, differs)
		}
		return w.slice(r.of, f.Len()-1, false, m)
	})
	if err != nil {
		return err
	}
	if order == nil && w.opt.Predict > 0 { // no row, and so no slice before those
		if w.named {
			return cli.Usagef("found no row, and so no name of a sequence to predict; leave out --sequence-column")
		}
		if filters[""], err = newStepper(ctx, e, w.opt); err != nil {
			return err
		}
		order = []string{""}
	}
	return predict(ctx, filters, order, w)
}

// predict answers about the slices after the last row of each sequence.
func predict(ctx context.Context, filters map[string]stepper, order []string, w *writer) error {
	for _, of := range order {
		f := filters[of]
		for range w.opt.Predict {
			m, err := f.Step(ctx, nil)
			if err != nil {
				return err
			}
			if err := w.slice(of, f.Len()-1, true, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// lag answers a row when the last of the rows after it that count has been read.
func lag(ctx context.Context, e *infer.Engine, s *source, w *writer) error {
	type lagged struct {
		laggedStepper
		n int // slices that were written
	}
	all := map[string]*lagged{}
	var order []string
	err := s.each(func(r *row) error {
		l := all[r.of]
		if l == nil {
			of, err := newLagged(ctx, e, w.opt)
			if err != nil {
				return err
			}
			l = &lagged{laggedStepper: of}
			all[r.of], order = l, append(order, r.of)
		}
		m, err := l.Step(ctx, r.found)
		if err != nil {
			return r.at(err)
		}
		if m == nil {
			return nil
		}
		l.n++
		return w.slice(r.of, l.n-1, false, m)
	})
	if err != nil {
		return err
	}
	for _, of := range order {
		rest, err := all[of].Rest(ctx)
		if err != nil {
			return err
		}
		for i := range rest {
			if err := w.slice(of, all[of].n+i, false, &rest[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// whole reads everything and answers one sequence after the other, in the order of their first
// rows.
func whole(ctx context.Context, e *infer.Engine, s *source, w *writer) error {
	all := map[string][]*row{}
	var order []string
	err := s.each(func(r *row) error {
		if all[r.of] == nil {
			order = append(order, r.of)
		}
		own := *r
		all[r.of] = append(all[r.of], &own)
		return nil
	})
	if err != nil {
		return err
	}
	watch, err := newWatch(ctx, e, w.opt)
	if err != nil {
		return err
	}
	for _, of := range order {
		watch.sequence(all[of][0].pos, len(all[of]))
		given := make([]infer.Given, len(all[of]))
		for t, r := range all[of] {
			given[t] = r.found
		}
		if err := w.answer(ctx, e, of, given); err != nil {
			return atSlice(err, all[of])
		}
	}
	return nil
}

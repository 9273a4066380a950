package acmn

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// keptModel records how a model in the folder of --models was learned.
type keptModel struct {
	Algo    string   `json:"algo"`
	Options []string `json:"options,omitempty"`
	Seed    uint64   `json:"seed"`
	MaxTime string   `json:"max_time"`
	Seconds float64  `json:"seconds"`
	Stopped bool     `json:"stopped,omitempty"`
}

// same reports whether two models were learned in the same way.
func (k *keptModel) same(o *keptModel) bool {
	return k.Algo == o.Algo && k.Seed == o.Seed && k.MaxTime == o.MaxTime && slices.Equal(k.Options, o.Options)
}

// learn learns a model, or reads the one that an earlier run kept. If the learner fails, the model
// is nil and the score holds the reason.
func (x *Experiment) learn(ctx context.Context, set string, spec *Spec, d *experiment.Parts) (*Score, *model.Model, error) {
	s := &Score{Model: spec.name}
	words := strings.FieldsFunc(spec.options, func(r rune) bool { return r == ' ' || r == '=' })
	how := &keptModel{Algo: spec.algo, Options: words, Seed: x.Seed, MaxTime: x.maxTime.String()}
	path := ""
	if x.Flags.Models != "" {
		path = filepath.Join(x.Flags.Models, set+"."+strings.ReplaceAll(spec.name, " ", "-"))
	}
	m, err := x.kept(ctx, path, spec, how)
	if err != nil {
		return nil, nil, err
	}
	if m == nil {
		l, err := x.Learn(ctx, spec.algo, spec.options, &learner.Job{Train: d.Train, Valid: d.Valid, MaxTime: x.maxTime})
		if err != nil {
			if s.Failed = err.Error(); ctx.Err() != nil {
				return nil, nil, err
			}
			return s, nil, nil
		}
		m, how.Seconds, how.Stopped = l.Model, l.Seconds, l.Report.Stopped
		if err := x.keep(path, spec, how, m); err != nil {
			return nil, nil, err
		}
	}
	s.Seconds, s.Stopped = how.Seconds, how.Stopped
	if c := m.Factors[0].Circuit(); c != nil {
		s.Edges = c.Edges()
	}
	return s, m, nil
}

// keptFormat returns the format and the extension of kept models.
func keptFormat(spec *Spec) (format.Format, string) {
	if spec.pseudo {
		return cli.Format(format.LibraMN), ".mn.gz"
	}
	return cli.Format(format.LibraAC), ".ac.gz"
}

// kept reads the model that an earlier run kept, if it was learned in the same way. It returns nil
// otherwise, and for an empty path.
func (x *Experiment) kept(ctx context.Context, path string, spec *Spec, how *keptModel) (*model.Model, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path + ".json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var earlier keptModel
	if err == nil {
		err = json.Unmarshal(text, &earlier)
	}
	if err != nil || !earlier.same(how) {
		return nil, err
	}
	*how = earlier
	_, ext := keptFormat(spec)
	return x.App.Load(ctx, path+ext, "")
}

// keep writes a model and the record of how it was learned, in this order.
func (x *Experiment) keep(path string, spec *Spec, how *keptModel, m *model.Model) error {
	if path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	as, ext := keptFormat(spec)
	sink, err := format.Encode(compiler.Formats, as, path+ext, m)
	if err != nil {
		return err
	}
	if err := sink.Flush(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(how, "", "  ")
	if err != nil {
		return err
	}
	return x.WriteResult(path+".json", append(text, '\n'))
}

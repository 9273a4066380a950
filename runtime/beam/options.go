package beam

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

// Options say what a transform reads and writes. Workers get them with their work.
type Options struct {
	Model string   // the name of a registered package
	Files []string // files, folders, or patterns of both, as pgmc score takes one of them
	// Out is the folder of the parts, new or without a result. [Score] and [Predict] write none if
	// it is empty.
	Out           string
	Keep          []string // columns of the files that are written too
	Missing       []string // texts that mark a missing value; nil for those of package data
	UnseenMissing bool     // a value that is no state is missing; otherwise its row is bad
}

// Result holds the collections that a transform returns.
type Result struct {
	Parts   sdk.PCollection // of Part
	Bad     sdk.PCollection // of Bad
	Summary sdk.PCollection // of one Summary
}

func init() {
	sdk.RegisterType(reflect.TypeFor[Work]())
	sdk.RegisterType(reflect.TypeFor[Bad]())
	sdk.RegisterType(reflect.TypeFor[Part]())
	sdk.RegisterType(reflect.TypeFor[Summary]())
	register.DoFn3x1[context.Context, []byte, func(Work), error](&listFn{})
	register.DoFn4x1[context.Context, Work, func(Part), func(Bad), error](&askFn{})
	register.DoFn4x1[context.Context, int, func(*Part) bool, func(Summary), error](&finishFn{})
	register.Emitter1[Work]()
	register.Emitter1[Part]()
	register.Emitter1[Bad]()
	register.Emitter1[Summary]()
	register.Iter1[Part]()
}

// transform adds the steps of a question to a pipeline.
func transform(s sdk.Scope, q question) (Result, error) {
	if err := q.check(); err != nil {
		return Result{}, fmt.Errorf("%s: %w", q.Options.Model, err)
	}
	work := sdk.Reshuffle(s, sdk.ParDo(s, &listFn{q.Options}, sdk.Impulse(s)))
	parts, bad := sdk.ParDo2(s, &askFn{Question: q}, work)
	summary := sdk.ParDo(s, &finishFn{q.Options}, sdk.GroupByKey(s, sdk.AddFixedKey(s, parts)))
	return Result{parts, bad, summary}, nil
}

// check returns an error for options that cannot be.
func (o *Options) check() error {
	switch {
	case len(o.Files) == 0:
		return errors.New("Options.Files is empty; want files with rows")
	case o.Out == "" && o.Keep != nil:
		return errors.New("Options.Keep needs Options.Out, where the columns are written")
	}
	return nil
}

// success is the name of the file that says that a result is complete.
const success = "_SUCCESS"

// listFn lists the elements.
type listFn struct{ Options Options }

// ProcessElement emits the elements. It refuses a folder with a result.
func (f *listFn) ProcessElement(ctx context.Context, _ []byte, emit func(Work)) error {
	o := &f.Options
	m, err := find(o.Model)
	if err != nil {
		return err
	}
	if o.Out != "" {
		if _, err := os.Stat(filepath.Join(o.Out, success)); err == nil {
			return fmt.Errorf("%s: the folder has a complete result; want another one, or remove it", o.Out)
		}
		if err := os.MkdirAll(o.Out, 0o777); err != nil {
			return err
		}
	}
	list, err := elements(o.Files, m)
	for _, w := range list {
		emit(w)
	}
	return err
}

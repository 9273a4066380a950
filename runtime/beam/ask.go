package beam

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pgmc-go/pgmc/learn/data"
)

// Part is what is known of an element once it has been read.
type Part struct {
	Work Work
	Name string // of its file in Options.Out; empty if there is none
	// Rows is the number of rows with an answer. Incomplete of them miss a value; Bad further rows
	// have no answer.
	Rows, Incomplete, Bad int64
	Impossible            int64 // rows of probability 0; not in LogP
	LogP                  Mean  // of [Score]
	Counts                []byte
}

// question is what is asked about rows. Workers get it as JSON.
type question struct {
	Options  Options
	Kind     kind
	Targets  []string   // of a prediction
	Families [][]string // of counts
}

// kind is a kind of question.
type kind string

const (
	scoring    kind = "score"
	predicting kind = "predict"
	counting   kind = "count"
)

// asker returns the asker of the question, and a block for the rows.
func (q *question) asker() (asker, *block, error) {
	m, err := find(q.Options.Model)
	if err != nil {
		return nil, nil, err
	}
	switch q.Kind {
	case scoring:
		return newScorer(m)
	case predicting:
		return newPredictor(m, q.Targets)
	}
	return newCounter(m, q.Families)
}

// check returns an error for a question that has no answer.
func (q *question) check() error {
	if err := q.Options.check(); err != nil {
		return err
	}
	_, _, err := q.asker()
	return err
}

// asker answers a question on a worker.
type asker interface {
	outputs() []data.Output      // the columns of the answers
	ask(b *block, p *Part) error // answers the rows of a block, or rejects some
	write(out data.Sink, row int)
	end(p *Part) error // after the last block of an element
}

// The counters of a pipeline.
var (
	rowsCounter       = sdk.NewCounter("pgmc", "rows")
	incompleteCounter = sdk.NewCounter("pgmc", "incomplete")
	badCounter        = sdk.NewCounter("pgmc", "bad")
)

// askFn answers a question on the rows of elements.
type askFn struct {
	Question question
	asker    asker // nil before the first element and after an error
	block    *block
}

// ProcessElement answers the question on the rows of an element. A panic in the package is an error
// of the element.
func (f *askFn) ProcessElement(ctx context.Context, w Work, emit func(Part), bad func(Bad)) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("panic: %v\n%s", x, debug.Stack())
		}
		if err != nil {
			f.asker = nil // it may hold a part of the answer
			err = fmt.Errorf("%s, row group %d: %w", w.File, w.Group, err)
		}
	}()
	if f.asker == nil {
		if f.asker, f.block, err = f.Question.asker(); err != nil {
			return err
		}
	}
	in, err := f.Question.Options.open(w, f.block)
	if err != nil {
		return err
	}
	p := Part{Work: w}
	if f.Question.Options.Out == "" || f.asker.outputs() == nil {
		err = f.rows(ctx, in, nil, &p, bad)
	} else {
		p.Name = w.name()
		err = writeAside(filepath.Join(f.Question.Options.Out, p.Name), func(file io.Writer) error {
			out, err := newSink(file, in, f.asker.outputs())
			if err != nil {
				return err
			}
			return errors.Join(f.rows(ctx, in, out, &p, bad), out.Flush())
		})
	}
	if err = errors.Join(err, in.close()); err != nil {
		return err
	}
	if err := f.asker.end(&p); err != nil {
		return err
	}
	rowsCounter.Inc(ctx, p.Rows)
	incompleteCounter.Inc(ctx, p.Incomplete)
	badCounter.Inc(ctx, p.Bad)
	emit(p)
	return nil
}

// rows answers the question on all rows and writes the answers to out, which may be nil.
func (f *askFn) rows(ctx context.Context, in *input, out *sink, p *Part, bad func(Bad)) error {
	b := f.block
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := in.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f.asker.ask(b, p)
		}
		if err != nil {
			return err
		}
		for _, x := range b.bad {
			bad(Bad{File: p.Work.File, Group: p.Work.Group, Row: b.first + int64(x.row), Column: x.column, Reason: x.reason})
		}
		p.Bad += int64(len(b.bad))
		p.Rows += int64(b.rows - len(b.bad))
		p.Incomplete += b.incomplete()
		for row := 0; out != nil && row < b.rows; row++ {
			if b.skip[row] {
				continue
			}
			out.begin(b, row)
			f.asker.write(out, row)
			if err := out.End(); err != nil {
				return err
			}
		}
	}
}

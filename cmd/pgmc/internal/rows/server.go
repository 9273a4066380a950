package rows

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
)

// Engine answers questions. An answer is valid until the next call.
type Engine interface {
	Answer(q *Question, want *Wanted, a *Answer) error
}

// Batcher is an engine that can answer many questions together faster than one by one.
type Batcher interface {
	Engine
	// Batches reports whether q can be one of them.
	Batches(q *Question, want *Wanted) bool
	// AnswerAll sets the answer of each question. failed marks questions that must be answered
	// alone to get their errors. An answer does not depend on the other questions.
	AnswerAll(qs []*Question, want *Wanted, as []Answer, failed []bool)
}

// maxTogether is the largest number of questions that are answered together.
const maxTogether = 64

// Server answers questions about some variables, as lines of JSON.
type Server struct {
	vars   []Variable
	want   Wanted
	engine Engine
	ctx    context.Context
	Done   func() // called after each row; may be nil
	byName map[string]int
	keys   [][]byte   // by variable: its name as JSON
	states [][][]byte // by variable and state: its name as JSON
	out    []byte
	counts FailedError
	// whole reports that lines come from a file. Which of them are answered together then does not
	// depend on how fast they are read, since the last bits of answers may depend on that.
	whole bool
}

// FailedError says that some questions have no answer, but an error in their lines.
type FailedError struct{ Failed, Rows int }

// Error counts them.
func (e *FailedError) Error() string {
	return fmt.Sprintf("%d of %d questions have no answer; their lines say why", e.Failed, e.Rows)
}

// BrokenError is the error of an engine that answers no questions any more.
type BrokenError struct{ Err error }

// Error returns the cause.
func (e *BrokenError) Error() string { return "the compiled program: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *BrokenError) Unwrap() error { return e.Err }

// NewServer returns a server of questions about vars that computes want with e.
func NewServer(vars []Variable, want Wanted, e Engine) *Server {
	r := &Server{vars: vars, want: want, engine: e, ctx: context.Background(), byName: map[string]int{}}
	for i, v := range vars {
		r.byName[v.Name] = i
		r.keys = append(r.keys, JsonString(v.Name))
		states := make([][]byte, len(v.Parts()))
		for k, s := range v.Parts() {
			states[k] = JsonString(s)
		}
		r.states = append(r.states, states)
	}
	return r
}

// Serve answers the lines of in until in or ctx ends. Lines that are ready are answered together,
// and answers are flushed when no further line is ready. If some have none, the error is a
// *[FailedError].
func (r *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	stop := make(chan struct{})
	defer close(stop)
	return r.serve(ctx, readLines(in, stop), out)
}

// serve answers lines until they or ctx end.
func (r *Server) serve(ctx context.Context, lines <-chan line, out io.Writer) error {
	r.ctx = ctx
	w := bufio.NewWriterSize(out, 1<<16)
	most := 1
	if _, ok := r.engine.(Batcher); ok {
		most = maxTogether
	}
	for {
		list, err := waitingLines(ctx, lines, most, r.whole, w)
		if ctx.Err() != nil {
			return errors.Join(ctx.Err(), w.Flush())
		}
		requests := r.answerLines(list)
		for i := range requests {
			if broken := (*BrokenError)(nil); errors.As(requests[i].e, &broken) {
				return errors.Join(broken, w.Flush())
			}
			if _, err := w.Write(r.row(&requests[i])); err != nil {
				return err
			}
			if r.counts.Rows++; requests[i].e != nil {
				r.counts.Failed++
			}
			if r.Done != nil {
				r.Done()
			}
		}
		if err != nil {
			if err != io.EOF {
				return errors.Join(err, w.Flush())
			}
			if err := w.Flush(); err != nil || r.counts.Failed == 0 {
				return err
			}
			return &r.counts
		}
	}
}

// request is a line with its question, and its answer or error.
type request struct {
	line
	q  *Question
	id []byte
	a  Answer
	e  error
}

// answerLines answers lines: together as far as the engine can, and the others one by one.
func (r *Server) answerLines(list []line) []request {
	out := make([]request, len(list))
	var together []int
	many, can := r.engine.(Batcher)
	for i, l := range list {
		x := &out[i]
		x.line = l
		if x.q, x.id = l.question, l.id; x.q == nil {
			x.q, x.id, x.e = r.Parse(&l)
		}
		if can && x.e == nil && many.Batches(x.q, r.wantedOf(x.q)) {
			together = append(together, i)
		}
	}
	done := make([]bool, len(list))
	if len(together) > 0 {
		r.answerTogether(many, out, together, done)
	}
	for i := range out {
		if x := &out[i]; x.e == nil && !done[i] {
			x.e = r.answerOne(x.q, &x.a)
		}
	}
	return out
}

// answerTogether answers the questions at the given places, and marks those that succeeded in done.
func (r *Server) answerTogether(many Batcher, out []request, places []int, done []bool) {
	qs, as, failed := make([]*Question, len(places)), make([]Answer, len(places)), make([]bool, len(places))
	for k, i := range places {
		qs[k] = out[i].q
	}
	many.AnswerAll(qs, &r.want, as, failed)
	for k, i := range places {
		if !failed[k] && !math.IsNaN(as[k].LogP) {
			out[i].a, done[i] = as[k], true
		}
	}
}

// Ask calls add for each question, in order, with its answer or its error.
func (r *Server) Ask(ctx context.Context, questions []*Question, add func(a *Answer, err error)) error {
	r.ctx = ctx
	for _, q := range questions {
		a := &Answer{}
		err := r.answerOne(q, a)
		if broken := (*BrokenError)(nil); errors.As(err, &broken) {
			return err
		}
		add(a, err)
	}
	return nil
}

// answerOne answers one question and checks the numbers.
func (r *Server) answerOne(q *Question, a *Answer) error {
	q.Ctx = r.ctx
	err := r.engine.Answer(q, r.wantedOf(q), a)
	if errors.Is(err, ErrImpossible) {
		return &impossibleError{r.describe(q)}
	}
	if err == nil {
		err = a.check()
	}
	return err
}

// impossibleError names impossible evidence. It wraps ErrImpossible.
type impossibleError struct{ evidence string }

// Error names the evidence.
func (e *impossibleError) Error() string {
	return "impossible evidence: " + e.evidence + " has probability 0"
}

// Unwrap returns ErrImpossible.
func (*impossibleError) Unwrap() error { return ErrImpossible }

// wantedOf returns the answers to compute for q: under given distributions (Jeffrey's rule) only
// some are defined.
func (r *Server) wantedOf(q *Question) *Wanted {
	if q.Jeffrey == nil {
		return &r.want
	}
	return r.want.GivenJeffrey()
}

// JSON returns the line of an answer to a question without an identifier.
func JSON(vars []Variable, want Wanted, a *Answer) []byte {
	return NewServer(vars, want, nil).row(&request{q: &Question{}, a: *a})
}

// row returns the line that answers x.
func (r *Server) row(x *request) []byte {
	b := append(r.out[:0], '{')
	if x.id != nil {
		b = append(append(append(b, `"id":`...), x.id...), ',')
	}
	if x.e != nil {
		text := x.e.Error()
		if x.id == nil {
			text = fmt.Sprintf("line %d: %s", x.Number, text)
		}
		b = append(append(append(b, `"error":`...), JsonString(text)...), ',')
	} else {
		b = r.appendAnswer(b, r.wantedOf(x.q), &x.a)
	}
	if b[len(b)-1] == ',' {
		b = b[:len(b)-1]
	}
	r.out = append(b, "}\n"...)
	return r.out
}

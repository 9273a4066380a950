package rows

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
)

// Engine answers questions. The answer is good until the next one.
type Engine interface {
	Answer(q *Question, want *Wanted, a *Answer) error
}

// batcher is an engine that answers many questions sooner than one after the other.
type batcher interface {
	Engine
	// batches reports whether it may do so for q.
	batches(q *Question, want *Wanted) bool
	// answerAll sets the answer of each question; failed marks those that have to be asked alone,
	// to know why. An answer does not depend on the other questions, so that how many wait makes no
	// difference.
	answerAll(qs []*Question, want *Wanted, as []Answer, failed []bool)
}

// maxTogether is how many questions that wait are answered together.
const maxTogether = 64

// Server serves questions about some variables.
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
}

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

// Serve answers the lines of in until it ends or ctx does. Lines that wait are answered together,
// and answers are flushed whenever no further line waits.
func (r *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	stop := make(chan struct{})
	defer close(stop)
	return r.serve(ctx, ReadLines(in, stop), out)
}

// serve answers lines until they end or ctx does.
func (r *Server) serve(ctx context.Context, lines <-chan line, out io.Writer) error {
	r.ctx = ctx
	w := bufio.NewWriterSize(out, 1<<16)
	most := 1
	if _, ok := r.engine.(batcher); ok {
		most = maxTogether
	}
	for {
		list, err := waitingLines(ctx, lines, most, w)
		if ctx.Err() != nil {
			return errors.Join(ctx.Err(), w.Flush())
		}
		asked := r.askAll(list)
		for i := range asked {
			if _, err := w.Write(r.row(&asked[i])); err != nil {
				return err
			}
			if r.Done != nil {
				r.Done()
			}
		}
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return errors.Join(err, w.Flush())
		}
	}
}

// asked is a line, the question in it, and what came of it.
type asked struct {
	line
	q  *Question
	id []byte
	a  Answer
	e  error
}

// askAll has the lines answered: together those that the engine can answer so, and the others each
// alone.
func (r *Server) askAll(list []line) []asked {
	out := make([]asked, len(list))
	var together []int
	many, can := r.engine.(batcher)
	for i, l := range list {
		x := &out[i]
		x.line = l
		if x.q, x.id = l.question, l.id; x.q == nil {
			x.q, x.id, x.e = r.Parse(&l)
		}
		if can && x.e == nil && many.batches(x.q, r.wantedOf(x.q)) {
			together = append(together, i)
		}
	}
	done := make([]bool, len(list))
	if len(together) > 0 {
		r.askTogether(many, out, together, done)
	}
	for i := range out {
		if x := &out[i]; x.e == nil && !done[i] {
			x.e = r.ask(x.q, &x.a)
		}
	}
	return out
}

// askTogether answers the questions at places, and marks those that succeeded.
func (r *Server) askTogether(many batcher, out []asked, places []int, done []bool) {
	qs, as, failed := make([]*Question, len(places)), make([]Answer, len(places)), make([]bool, len(places))
	for k, i := range places {
		qs[k] = out[i].q
	}
	many.answerAll(qs, &r.want, as, failed)
	for k, i := range places {
		if !failed[k] && !math.IsNaN(as[k].LogP) {
			out[i].a, done[i] = as[k], true
		}
	}
}

// ask has the engine answer, and looks at the numbers.
func (r *Server) ask(q *Question, a *Answer) error {
	q.Ctx = r.ctx
	err := r.engine.Answer(q, r.wantedOf(q), a)
	if errors.Is(err, ErrImpossible) {
		return fmt.Errorf("impossible evidence: %s has probability 0", r.describe(q))
	}
	if err == nil {
		err = a.check()
	}
	return err
}

// wantedOf is what to answer to q: where distributions are given, only marginals are defined, and
// what is known of the evidence.
func (r *Server) wantedOf(q *Question) *Wanted {
	if q.Jeffrey == nil {
		return &r.want
	}
	return r.want.givenJeffrey()
}

// row gives the line that answers x.
func (r *Server) row(x *asked) []byte {
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

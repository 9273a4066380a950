package rows

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// AppendQuestion writes q as a line of a batch, with id.
func (r *Server) AppendQuestion(b []byte, q *Question, id int) []byte {
	b = append(strconv.AppendInt(append(b, `{"id":`...), int64(id), 10), `,"evidence":{`...)
	for i, state := range q.Hard {
		if state > 0 && r.vars[i].Real {
			b = append(AppendNumber(append(append(b, r.keys[i]...), ':'), q.Real[i]), ',')
		} else if state > 0 {
			b = append(append(append(append(b, r.keys[i]...), ':'), r.states[i][state-1]...), ',')
		}
	}
	b = append(closeObject(b), `"soft":{`...)
	for i, l := range q.Soft {
		if l == nil {
			continue
		}
		b = append(append(b, r.keys[i]...), ":["...)
		for _, x := range l {
			b = append(AppendNumber(b, x), ',')
		}
		b[len(b)-1] = ']'
		b = append(b, ',')
	}
	b = bytes.TrimSuffix(closeObject(b), []byte(","))
	if q.Jeffrey != nil {
		b = r.appendJeffrey(append(b, `,"jeffrey":{`...), q.Jeffrey)
	}
	return append(b, "}\n"...)
}

// appendJeffrey writes the distributions that variables must have.
func (r *Server) appendJeffrey(b []byte, given [][]float64) []byte {
	for i, p := range given {
		if p == nil {
			continue
		}
		b = append(append(b, r.keys[i]...), ":["...)
		for _, x := range p {
			b = append(AppendNumber(b, x), ',')
		}
		b[len(b)-1] = ']'
		b = append(b, ',')
	}
	return bytes.TrimSuffix(closeObject(b), []byte(","))
}

// maxLine is the longest line of questions.
const maxLine = 16 << 20

// Variable is the name of a variable and those of its states, of which a real one has none.
type Variable struct {
	Name   string   `json:"name"`
	States []string `json:"states"`
	Real   bool     `json:"real,omitempty"`
}

// Parts are what the numbers of a marginal are called: states, or the mean and the variance.
func (v *Variable) Parts() []string {
	if v.Real {
		return []string{"mean", "var"}
	}
	return v.States
}

// Wanted is what to answer.
type Wanted struct {
	LogP      bool   `json:"logp"`
	Marginals []bool `json:"marginals"` // by variable; nil for none at all
	MPE       bool   `json:"mpe"`
	Batch     bool   `json:"batch"` // of many rows

	Joint []Joint `json:"joint"`
	MAP   []int   `json:"map"`  // the variables whose most probable joint state is wanted; nil for none
	KMPE  int     `json:"kmpe"` // how many completions

	Loop string `json:"loop"` // the method of a package that answers approximately; empty where answers are exact
	Kind string `json:"kind"` // of the query that it answers, one of the constants below; empty where answers are exact
}

// Question is the evidence of one row.
type Question struct {
	Hard []int       // by variable: its state counted from 1, or 0; 1 where a real one is observed
	Soft [][]float64 // by variable: a likelihood for each state, or nil
	Real []float64   // by variable: the value of a real one that is observed

	sets    [][]float64     // by variable: 1 for the states that it may be in and 0 for the others, or nil; nil where there are none
	Jeffrey [][]float64     // by variable: its distribution, or nil; nil where there are none
	Ctx     context.Context // of the query
}

// plain reports whether all that is known are states.
func (q *Question) plain() bool {
	if q.Jeffrey != nil || q.sets != nil {
		return false
	}
	for _, l := range q.Soft {
		if l != nil {
			return false
		}
	}
	return true
}

// inLanes reports whether all that is wanted can be had for many rows at once.
func (w *Wanted) inLanes() bool {
	return w.Batch && w.Loop == "" && (w.LogP || w.Marginals != nil) && !w.MPE && w.Joint == nil && w.MAP == nil && w.KMPE == 0
}

// NewQuestion has no evidence on n variables.
func NewQuestion(n int) Question {
	return Question{Hard: make([]int, n), Soft: make([][]float64, n), Real: make([]float64, n), Ctx: context.Background()}
}

// Answer is what an engine found.
type Answer struct {
	LogP, MpeLogP float64
	Marginals     [][]float64 // by variable
	Mpe           []int       // by variable: its state counted from 0
	Joint         [][]float64 // by joint posterior that is wanted
	states        []int       // the most probable states of the variables of MAP, and
	statesLogP    float64
	kmpe          [][]int // by completion and variable, and
	kmpeLogP      []float64

	Status     string // how iterating went, and
	Iterations int
	residual   float64
	bound      float64 // of the divergence; 0 where the method has none, and +Inf where there is none
	rhat, ess  float64 // of sampling
	logError   float64 // of weighted samples: the standard error of ln P, +Inf where it is unknown
	note       string  // what the method decided; empty for nothing to say
	upper, Gap float64 // of states that were chosen by messages: what no log-probability exceeds, and how far that is; +Inf where nothing is known
}

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

// ErrImpossible is the error of an engine where evidence has probability zero.
var ErrImpossible = errors.New("the evidence is impossible")

// The kinds of query that are answered approximately, as package ir names them.
const (
	KindBeliefs   = "beliefs"   // marginals to which a loop converges
	KindDecoding  = "decoding"  // states that messages choose
	kindEstimates = "estimates" // marginals averaged over Markov chains
	kindWeighted  = "weighted"  // marginals from weighted samples
	kindClimb     = "climb"     // states that a search met
)

// errSoftJoint says what a probability by sampling is not of.
var errSoftJoint = errors.New("method gibbs estimates the log-probability of states; leave out likelihoods and sets of states, or try --method jointree")

// errRealJoint says what the states of which a probability is estimated one after the other are not
// among.
var errRealJoint = errors.New("the log-probability of the evidence is estimated of states; leave out real variables, whose density is not known")

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

// JsonString writes a string as JSON, with < and > as they are.
func JsonString(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return bytes.TrimSpace(b.Bytes())
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

// waitingLines gives the lines that wait, at most so many and at least one, or else the error of
// reading; before it waits for one it flushes w. An error stands for what comes behind the lines
// that are given with it; io.EOF is the end.
func waitingLines(ctx context.Context, lines <-chan line, most int, w *bufio.Writer) (list []line, err error) {
	for len(list) < most {
		var l line
		var ok bool
		select {
		case l, ok = <-lines:
		default:
			if len(list) > 0 {
				return list, nil
			}
			if err := w.Flush(); err != nil {
				return nil, err
			}
			select {
			case l, ok = <-lines:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		if !ok {
			return list, io.EOF
		}
		if l.Err != nil {
			return list, l.Err
		}
		list = append(list, l)
	}
	return list, nil
}

// line is a line that is not blank.
type line struct {
	Number int
	text   []byte
	long   bool  // over maxLine, and text is only its beginning
	Err    error // of reading; the last

	question *Question // the question that was read already; nil if text holds it
	id       []byte    // of that question
}

// ReadLines reads lines ahead until stop is closed.
func ReadLines(in io.Reader, stop <-chan struct{}) <-chan line {
	lines := make(chan line, 64)
	go func() {
		defer close(lines)
		b := bufio.NewReaderSize(in, 1<<16)
		for number := 1; ; number++ {
			l := readLine(b)
			l.Number = number
			end := l.Err == io.EOF
			if end {
				l.Err = nil
			}
			if len(bytes.TrimSpace(l.text)) > 0 || l.Err != nil {
				select {
				case lines <- l:
				case <-stop:
					return
				}
			}
			if end || l.Err != nil {
				return
			}
		}
	}()
	return lines
}

func readLine(b *bufio.Reader) (l line) {
	for {
		part, err := b.ReadSlice('\n')
		if len(l.text)+len(part) > maxLine {
			l.long = true
		} else {
			l.text = append(l.text, part...)
		}
		if err != bufio.ErrBufferFull {
			l.Err = err
			return l
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

// check returns an error if a number is none.
func (a *Answer) check() error {
	if math.IsNaN(a.LogP) || math.IsNaN(a.MpeLogP) {
		return errors.New("the answer is not a number")
	}
	return nil
}

// wantedOf is what to answer to q: where distributions are given, only marginals are defined, and
// what is known of the evidence.
func (r *Server) wantedOf(q *Question) *Wanted {
	if q.Jeffrey == nil {
		return &r.want
	}
	return r.want.givenJeffrey()
}

// givenJeffrey is what is answered if distributions are given.
func (w *Wanted) givenJeffrey() *Wanted {
	return &Wanted{LogP: w.LogP, Marginals: w.Marginals, Batch: w.Batch}
}

// describe writes evidence for people, a long one shortened.
func (r *Server) describe(q *Question) string {
	const most = 10
	var parts []string
	for i, v := range r.vars {
		set := q.sets != nil && q.sets[i] != nil
		if set {
			parts = append(parts, quoteName(v.Name)+"="+r.setText(i, q.sets[i]))
		} else if q.Hard[i] > 0 && v.Real {
			parts = append(parts, quoteName(v.Name)+"="+strconv.FormatFloat(q.Real[i], 'g', -1, 64))
		} else if q.Hard[i] > 0 {
			parts = append(parts, quoteName(v.Name)+"="+quoteName(v.States[q.Hard[i]-1]))
		}
		if q.Soft[i] != nil && (!set || q.Hard[i] > 0) { // a state beside a set stands for a likelihood that contradicts it
			parts = append(parts, "a likelihood of "+quoteName(v.Name))
		}
	}
	if more := len(parts) - most; more > 0 {
		parts = append(parts[:most], fmt.Sprintf("and %d more", more))
	}
	if parts == nil {
		return "no evidence"
	}
	return strings.Join(parts, ", ")
}

// setText writes a set of states of variable v as --evidence has it.
func (r *Server) setText(v int, set []float64) string {
	var names []string
	for k, in := range set {
		if in > 0 {
			names = append(names, quoteName(r.vars[v].States[k]))
		}
	}
	return strings.Join(names, "|")
}

// quoteName quotes a name if --evidence needs it quoted. It is cli.QuoteName, which the driver of a
// compiled package cannot import.
func quoteName(s string) string {
	if s == "" || strings.ContainsAny(s, ",=|(\"/ \t\n") || strconv.Quote(s) != `"`+s+`"` {
		return strconv.Quote(s)
	}
	return s
}

// Chains beyond these have not been where they should (Gelman and Rubin 1992 take 1.1 for R-hat),
// or have hardly moved.
const (
	mostRHat = 1.1
	leastESS = 100
)

// chainWarning says why the estimates of a sampler are none to rely on; empty where they may be.
func chainWarning(rhat, ess float64) string {
	switch {
	case rhat > mostRHat:
		return fmt.Sprintf("the chains have not mixed: R-hat is %.4g, and %g at most is usual; marginals may be far off whatever their standard errors; try more --iterations, or --method belief", rhat, mostRHat)
	case ess < leastESS:
		return fmt.Sprintf("the effective sample size is %.3g, and %d at least is usual; try more --iterations", ess, leastESS)
	}
	return ""
}

func (r *Server) appendAnswer(b []byte, want *Wanted, a *Answer) []byte {
	if want.LogP {
		b = append(AppendNumber(append(b, `"logp":`...), a.LogP), ',')
	}
	if want.Loop != "" {
		b = append(strconv.AppendInt(append(append(a.appendNote(append(b, `"report":{`...)), JsonString(a.Status)...), `,"iterations":`...), int64(a.Iterations), 10), ',')
		b = AppendNumber(append(b, `"residual":`...), a.residual)
		switch {
		case want.Kind == kindClimb:
			b = append(b, `,"search":true`...)
		case want.Kind == kindWeighted:
			b = AppendNumber(append(b, `,"weights":true,"ess":`...), a.ess)
			b = finiteNumber(append(b, `,"logp_error":`...), a.logError)
		case want.Kind == kindEstimates:
			b = finiteNumber(append(b, `,"rhat":`...), a.rhat)
			b = AppendNumber(append(b, `,"ess":`...), a.ess)
			if w := chainWarning(a.rhat, a.ess); w != "" {
				b = append(append(b, `,"warning":`...), JsonString(w)...)
			}
		case want.Kind == KindDecoding:
			b = finiteNumber(append(b, `,"upper_bound":`...), a.upper)
			b = finiteNumber(append(b, `,"gap":`...), a.Gap)
		case math.IsInf(a.bound, 1):
			b = append(b, `,"unbounded":true`...)
		case a.bound != 0:
			b = AppendNumber(append(b, `,"bound":`...), a.bound)
		}
		b = append(b, "},"...)
	}
	if want.Marginals != nil {
		b = r.appendMarginals(append(b, `"marginals":`...), a)
	}
	if want.Joint != nil {
		b = r.appendJoints(b, a)
	}
	if want.MAP != nil || want.KMPE > 0 {
		b = r.appendBest(b, want, a)
	}
	if !want.MPE {
		return b
	}
	b = append(b, `"mpe":{`...)
	for i, s := range a.Mpe {
		b = append(append(append(append(b, r.keys[i]...), ':'), r.states[i][s]...), ',')
	}
	b = append(closeObject(b), `"mpe_logp":`...)
	return append(finiteNumber(b, a.MpeLogP), ',')
}

// appendNote writes what the method decided, if there is something to say, and the key of the
// status.
func (a *Answer) appendNote(b []byte) []byte {
	if a.note != "" {
		b = append(append(append(b, `"method":`...), JsonString(a.note)...), ',')
	}
	return append(b, `"status":`...)
}

func (r *Server) appendMarginals(b []byte, a *Answer) []byte {
	b = append(b, '{')
	for i, row := range a.Marginals {
		if !r.want.Marginals[i] {
			continue
		}
		b = append(append(b, r.keys[i]...), ":{"...)
		for k, p := range row {
			b = append(append(b, r.states[i][k]...), ':')
			b = append(AppendNumber(b, p), ',')
		}
		b = closeObject(b)
	}
	return closeObject(b)
}

// closeObject ends an object after its last comma, and adds one.
func closeObject(b []byte) []byte {
	if b[len(b)-1] == ',' {
		b = b[:len(b)-1]
	}
	return append(b, "},"...)
}

// AppendNumber writes the shortest number that reads back as x.
func AppendNumber(b []byte, x float64) []byte {
	return strconv.AppendFloat(b, x+0, 'g', -1, 64) // +0: no "-0"
}

// finiteNumber is x in JSON, where infinity is null.
func finiteNumber(b []byte, x float64) []byte {
	if math.IsInf(x, 0) {
		return append(b, "null"...)
	}
	return AppendNumber(b, x)
}

package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
)

// Sessions writes the type Session.
type Sessions struct {
	*Engine
	e      *ir.Entry
	inc    *ir.Incremental
	firsts int // the index in program of a table by variable: the start of its part of ranges; one more element ends the last
	ranges int // the index in program of the ranges of blocks that evidence reaches: a first block, and the end
}

// Sessions returns the sessions that the entry e answers.
func (g *Engine) Sessions(e *ir.Entry) *Sessions {
	return &Sessions{Engine: g, e: e, inc: g.Program.Incremental(e)}
}

// Place appends the tables of sessions to the integers beside the code.
func (s *Sessions) Place(ints []int32) []int32 {
	var firsts, ranges []int32
	for _, x := range s.Names.Observable() {
		firsts = append(firsts, int32(len(ranges)))
		for _, r := range s.inc.Reach[x.Var.ID] {
			ranges = append(ranges, int32(r.First), int32(r.End))
		}
	}
	s.firsts = len(ints)
	ints = append(append(ints, firsts...), int32(len(ranges)))
	s.ranges = len(ints)
	return append(ints, ranges...)
}

// Declare declares Session, a type with an engine of its own that keeps messages between queries
// and records which of them are out of date.
func (s *Sessions) Declare() {
	s.sessionType()
	s.findings()
	s.answers()
	s.run()
}

// words returns the number of words in a bit set of blocks.
func (s *Sessions) words() int { return (len(s.inc.Order) + 63) / 64 }

// scaled reports whether blocks rescale numbers and count exponents.
func (s *Sessions) scaled() bool { return s.e.Exp != ir.NoSpan }

// sessionType declares the type Session, how one begins, and Reset.
func (s *Sessions) sessionType() {
	s.Out.Add(source.Doc("Session answers queries on evidence that changes one finding at a time. It keeps what it has computed, and computes again",
		"only what depends on a finding that changed. One goroutine at a time may use it."))
	s.Out.Type().Id("Session").StructFunc(func(t *jen.Group) {
		t.Id("e").Op("*").Id("Engine").Comment("// used by this session only")
		t.Id("ev").Id("Evidence")
		t.Id("soft").Id("Soft")
		t.Id("dirty").Index(jen.Lit(s.words())).Uint64().Comment("// bit set of the blocks that must run")
		if s.scaled() {
			t.Id("exp").Int32().Comment("// exponent of the root")
			t.Id("exps").Index(jen.Lit(len(s.inc.Order))).Int32().Comment("// by block: its share of exp")
		}
	})
	s.Out.Line()
	body := "c := &Session{e: New()}\n"
	if s.VarParams() {
		body = strings.Replace(s.newBody(), "return ", "mine := ", 1) + "\n*mine.data() = *e.data()\n" + strings.ReplaceAll(s.copies(), "e.", "mine.")
		if s.MovesLogZ() {
			body += "mine.logZ = e.logZ\n"
		}
		body += "c := &Session{e: mine}\n"
	}
	body += s.AllStates()
	s.Func(source.Doc("Session begins a session without evidence. Queries of the session and of e do not affect each other."), "(e *Engine) Session() *Session", body+"c.Reset()\nreturn c")
	s.Func(source.Doc("Reset retracts all evidence."), "(c *Session) Reset()", "c.ev, c.soft = Evidence{}, Soft{}\n"+s.allDirty())
}

// allDirty returns the statements that mark all blocks as out of date.
func (s *Sessions) allDirty() string {
	return fmt.Sprintf("for i := range %d {\n\tc.dirty[i/64] |= 1 << (i %% 64)\n}", len(s.inc.Order))
}

// findings declares the methods that change evidence. They check all of it before they change any.
func (s *Sessions) findings() {
	var states, observe, retract, numbers, soft []string
	for _, x := range s.Names.Observable() {
		if check := x.Port.Check(s.API); check != "" {
			states = append(states, check)
		}
		r := strings.NewReplacer("NAME", x.ID, "DIST", x.Port.Soft(), "INDEX", strconv.Itoa(x.Index), "NONE", x.Port.None(),
			"GIVEN", x.Port.Observed("ev."+x.ID), "KNOWN", x.Port.Observed("c.ev."+x.ID))
		observe = append(observe, r.Replace("if GIVEN && ev.NAME != c.ev.NAME {\n\tc.ev.NAME = ev.NAME\n\tc.touch(INDEX)\n}\n"))
		if x.Port.Soft() == "" {
			retract = append(retract, r.Replace("if GIVEN && KNOWN {\n\tc.ev.NAME = NONE\n\tc.touch(INDEX)\n}\n"))
			continue
		}
		retract = append(retract, r.Replace("if GIVEN && (KNOWN || c.soft.NAME != (DIST{})) {\n\tc.ev.NAME, c.soft.NAME = NONE, DIST{}\n\tc.touch(INDEX)\n}\n"))
		numbers = append(numbers, x.Port.CheckSoft(s.API))
		soft = append(soft, r.Replace("if soft.NAME != (DIST{}) && soft.NAME != c.soft.NAME {\n\tc.soft.NAME = soft.NAME\n\tc.touch(INDEX)\n}\n"))
	}
	check := "if err := c.%s; err != nil {\n\treturn err\n}\n"
	s.parts("checkStates", "ev *Evidence", "error", states, "", "checkStates returns an error if a field of ev has no valid state or value.")
	s.parts("Observe", "ev *Evidence", "error", observe, fmt.Sprintf(check, "checkStates(ev)"),
		"Observe adds the observations in ev. They replace earlier observations of the same variables; other evidence stays. On failure",
		"nothing has changed.")
	s.parts("Retract", "ev *Evidence", "", retract, "", "Retract removes the observations and the likelihoods of all variables that are observed in ev, whatever the observation is.")
	s.parts("checkSoft", "soft *Soft", "error", numbers, "", "checkSoft returns an error if a field of soft is no likelihood or measurement.")
	s.parts("SetSoft", "soft *Soft", "error", soft, fmt.Sprintf(check, "checkSoft(soft)"),
		"SetSoft adds the likelihoods in soft that are not all 0. They replace earlier likelihoods of the same variables; other evidence",
		"stays. On failure nothing has changed.")
	s.Func(source.Doc("Evidence returns the observations and the likelihoods of the session."), "(c *Session) Evidence() (Evidence, Soft)", "return c.ev, c.soft")
}

// parts declares a method from statements for each variable. If there are more than VarsPerFunc
// variables, it calls methods for some of them each. The text begin precedes all statements.
func (s *Sessions) parts(name, arg, result string, each []string, begin string, comment ...string) {
	end, call := "", "c.%s(%s)\n"
	if result != "" {
		end, call = "return nil", "if err := c.%s(%s); err != nil {\n\treturn err\n}\n"
	}
	short, _, _ := strings.Cut(arg, " ")
	body := begin
	if len(each) <= api.VarsPerFunc {
		body += strings.Join(each, "")
	} else {
		i := 0
		for part := range slices.Chunk(each, api.VarsPerFunc) {
			i++
			fn := fmt.Sprintf("%s%d", strings.ToLower(name), i)
			s.Func(source.Doc(fn+" is a part of "+name+"."), fmt.Sprintf("(c *Session) %s(%s) %s", fn, arg, result), strings.Join(part, "")+end)
			body += fmt.Sprintf(call, fn, short)
		}
	}
	s.Func(source.Doc(comment...), fmt.Sprintf("(c *Session) %s(%s) %s", name, arg, result), body+end)
}

// answers declares the methods that answer queries.
func (s *Sessions) answers() {
	enter := func(places int, fail string) string {
		return fmt.Sprintf("e := c.e\nscale, err := e.%s(&c.ev, &c.soft)\nif err != nil {\n%serr\n}\nc.run(%d)\n", s.Loader(s.e).Func, fail, places) + s.Root(s.e, fail+"ErrImpossible")
	}
	s.Func(source.Doc("LogProb returns the natural logarithm of the probability of the evidence. With an error it returns -Inf."),
		"(c *Session) LogProb() (float64, error)", enter(s.inc.Root, "\treturn "+s.Std("math.Inf")+"(-1), ")+"return "+s.LogOf(s.e)+", nil")
	s.Func(source.Doc("Marginals sets out to the posterior of every variable, and LogP to the natural logarithm of the probability of the evidence.",
		"On failure all posteriors are 0 and LogP is -Inf."),
		"(c *Session) Marginals(out *Marginals) error",
		enter(len(s.inc.Order), "\t*out = Marginals{LogP: "+s.Std("math.Inf")+"(-1)}\n\treturn ")+s.CopyAll(s.e)+"out.LogP = "+s.LogOf(s.e)+"\nreturn nil")
}

// run declares the methods that mark blocks as out of date, and run them.
func (s *Sessions) run() {
	s.Func(source.Doc("touch marks the blocks that depend on the evidence of a variable as out of date."), "(c *Session) touch(variable int)", fmt.Sprintf(`
k := c.e.k
for i := k[%[1]d+variable]; i < k[%[1]d+variable+1]; i += 2 {
	for b := k[%[2]d+i]; b < k[%[2]d+i+1]; b++ {
		c.dirty[b/64] |= 1 << (b %% 64)
	}
}`, s.firsts, s.ranges))
	call := "sessionBlocks[b](c.e)\n"
	end := ""
	if s.scaled() {
		exp := fmt.Sprintf("c.e.state()[%d]", s.Program.Spans[s.e.Exp].Offset)
		call = fmt.Sprintf("%[1]s = 0\nsessionBlocks[b](c.e)\nc.exp += %[1]s - c.exps[b]\nc.exps[b] = %[1]s\n", exp)
		end = exp + " = c.exp\n"
	}
	s.Func(source.Doc("run runs those of the first n blocks that are out of date."), "(c *Session) run(n int)", fmt.Sprintf(`
for w := 0; w*64 < n; w++ {
	for c.dirty[w] != 0 {
		b := w*64 + `+s.Std("math/bits.TrailingZeros64")+`(c.dirty[w])
		if b >= n {
			break
		}
		%sc.dirty[w] &= c.dirty[w] - 1
	}
}
%s`, call, end))
	names := &strings.Builder{}
	for _, b := range s.inc.Order {
		fmt.Fprintf(names, "(*Engine).%s,\n", s.Plan[b].Func)
	}
	s.Out.Comment("// sessionBlocks lists the blocks of a session, in an order in which they can run.")
	s.Out.Var().Id("sessionBlocks").Op("=").Index(jen.Lit(len(s.inc.Order))).Func().Params(jen.Op("*").Id("Engine")).Id("{\n" + names.String() + "}")
	s.Out.Line()
}

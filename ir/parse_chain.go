package ir

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// chain reads what chainText wrote behind its first word.
func (ps *parser) chain() *Chain {
	c := &Chain{}
	for i := range c.Cut {
		c.Cut[i] = ps.int()
	}
	for i, name := range []string{"iterations", "burnin", "chains"} {
		ps.expect(name)
		*[]*int{&c.Iterations, &c.BurnIn, &c.Chains}[i] = ps.int()
	}
	ps.expect("seed")
	w := ps.word()
	seed, err := strconv.ParseUint(w, 10, 64)
	if err != nil {
		ps.fail("found %q; want a seed", w)
	}
	c.Seed = seed
	if strings.HasPrefix(ps.rest, "mode ") {
		ps.expect("mode")
		c.Mode = TrialMode(slices.Index(trialModes[:], ps.oneOf(trialModes[:]...)))
		ps.expect("hot")
		c.Hot = ps.float()
		ps.expect("cold")
		c.Cold = ps.float()
		ps.expect("tenure")
		c.Tenure = ps.int()
	}
	ps.expect("run")
	for strings.HasPrefix(ps.rest, "s") {
		c.Run = append(c.Run, ps.spanID())
	}
	return c
}

// chainStep reads what chainStepText wrote; nil where word begins no such step.
func (ps *parser) chainStep(word string) Step {
	if i := slices.Index(foldNames[:], word); i >= 0 {
		s := &Fold{Kind: FoldKind(i)}
		for k := range s.Stats {
			s.Stats[k] = ps.spanID()
		}
		ps.expect("run")
		for k := range s.Run {
			s.Run[k] = ps.spanID()
		}
		return s
	}
	if i := slices.Index(trialNames[:], word); i >= 0 {
		return ps.trial(TrialKind(i))
	}
	switch word {
	case "resample":
		return ps.resample()
	case "seek":
		s := &Seek{Outcome: ps.spanID()}
		for ps.more() {
			ps.expect("level")
			s.Levels = append(s.Levels, SeekLevel{Weights: ps.spanID(), Back: ps.int(), Row: ps.row()})
		}
		return s
	case "kernel":
		return ps.kernel()
	}
	return nil
}

func (ps *parser) resample() *Resample {
	s := &Resample{}
	w := ps.word()
	if s.Scaled = w == "scaled"; s.Scaled {
		w = ps.word()
	}
	s.Weights = ps.spanOf(w)
	ps.expect("tallies")
	for w := ps.word(); w != "row"; w = ps.word() {
		s.Tallies = append(s.Tallies, ps.spanOf(w))
	}
	s.Row = ps.row()
	return s
}

// spanOf is the span that a word names.
func (ps *parser) spanOf(w string) SpanID {
	if w == "-" {
		return NoSpan
	}
	return SpanID(ps.after("s", w))
}

// row reads what rowText wrote.
func (ps *parser) row() (r Row) {
	r.Axes = ps.axes()
	ps.expect("=")
	for !strings.HasPrefix(ps.rest, "trees ") {
		r.In = append(r.In, ps.view())
	}
	ps.expect("trees")
	for w := ps.word(); w != "end"; w = ps.word() {
		t := TreeView{Leaves: ps.spanOf(w)}
		ps.expect("child")
		t.Child = model.VarID(ps.after("v", ps.word()))
		ps.expect("{")
		for w := ps.word(); w != "}"; w = ps.word() {
			if v, ok := strings.CutPrefix(w, "v"); ok {
				t.Nodes = append(t.Nodes, TreeTest{Var: model.VarID(ps.after("", v))})
			} else if len(t.Nodes) == 0 {
				ps.fail("found %q; want a test such as v1", w)
			} else {
				n := &t.Nodes[len(t.Nodes)-1]
				n.Next = append(n.Next, int32(ps.after("", w)))
			}
		}
		r.Trees = append(r.Trees, t)
	}
	return r
}

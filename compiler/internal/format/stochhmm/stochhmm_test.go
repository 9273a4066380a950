package stochhmm_test

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/stochhmm"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

const coin = `#STOCHHMM MODEL FILE
<MODEL INFORMATION>
======
MODEL_NAME: coins
<TRACK SYMBOL DEFINITIONS>
COIN: h,t
<STATE DEFINITIONS>
STATE:
	NAME: INIT
TRANSITION: STANDARD: P(X)
	A: 0.25
	B: 0.75
####
STATE:
	NAME: A
TRANSITION: STANDARD:	P(X)
	A: 1
	END: 1
EMISSION: COIN: P(X)
	ORDER: 0
@h t
0.5 0.5
STATE:
	NAME: B
TRANSITION: STANDARD: P(X)
	A: 0.1
	B: 0.9
EMISSION: COIN: P(X)
	ORDER: 0
0.125 0.875
//END
`

// change returns coin with a text replaced.
func change(from, to string) string { return strings.Replace(coin, from, to, 1) }

var broken = []formattest.Broken{
	{Name: "empty", Want: "empty:1:1: found the end of the file; want //END"},
	{Name: "track", Text: change("COIN: h,t", "COIN: h,t\nDIE: 1,2"), Want: `track:7:1: found "DIE"; want one track only`},
	{Name: "section", Text: change("<STATE DEFINITIONS>", "<SCALING FUNCTIONS>"), Want: `section:7:1: found "<SCALING FUNCTIONS>"; want a part of the file, or "STATE:" among the states`},
	{Name: "duration", Text: change("STANDARD:	P(X)", "DURATION: P(X)"), Want: `duration:16:1: found "DURATION: P(X)"; want "STANDARD: P(X)"`},
	{Name: "order", Text: change("ORDER: 0", "ORDER: 1"), Want: `order:20:1: found "ORDER: 1"; want "ORDER: 0"`},
	{Name: "symbols", Text: change("@h t", "@t h"), Want: `symbols:21:1: found "@t h"; want the symbols in the order of the track`},
	{Name: "few", Text: change("0.5 0.5", "1"), Want: `few:22:1: found 1 numbers; want 2, one for each symbol of "COIN"`},
	{Name: "number", Text: change("0.5 0.5", "x 1"), Want: `number:22:1: found "x"; want a number`},
	{Name: "end", Text: change("END: 1", "END: 0.5"), Want: `end:18:1: found "0.5"; want 1 for the transition to END: a sequence may end anywhere`},
	{Name: "stranger", Text: change("B: 0.9", "C: 0.9"), Want: `stranger:27:1: found a transition to "C"; want a state of the file`},
	{Name: "again", Text: change("B: 0.9", "A: 0.9"), Want: `again:27:1: found a second transition to "A"; want one`},
	{Name: "twice", Text: change("NAME: B", "NAME: A"), Want: `twice:23:1: state "A" is defined twice; want it once`},
	{Name: "silent", Text: change("EMISSION: COIN: P(X)\n	ORDER: 0\n0.125 0.875\n", ""), Want: `silent:23:1: state "B" has no emission; want one`},
	{Name: "no start", Text: change("NAME: INIT", "NAME: START"), Want: `no start:1:1: found 3 states besides INIT and the track "COIN"; want at least one state, INIT and a track, and at most 67108864 numbers`},
	{Name: "logarithms", Text: change("COIN: P(X)", "COIN: LOG"), Want: `logarithms:19:1: found "COIN: LOG"; want COIN: P(X)`},
}

func TestContract(t *testing.T) {
	formattest.Run(t, stochhmm.Format, formattest.Cases{Models: []formattest.Model{{Name: "coin", Text: coin}}, Errors: broken})
}

// FuzzRead checks that no text makes the reader panic.
func FuzzRead(f *testing.F) {
	f.Add(coin)
	for _, c := range broken {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		format.ReadSource(stochhmm.Format, &format.Source{Name: "fuzz", Data: []byte(text)}, format.ReadOptions{})
	})
}

func file(t *testing.T, name string) *infer.Engine {
	t.Helper()
	m, list := format.Read([]format.Format{stochhmm.Format}, filepath.Join(irtest.Shared(t), "data/temporal", name), "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	e, err := infer.New(context.Background(), m, infer.Options{Rows: model.RowsAsIs})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestKnown compares with problems 3.16 and 3.17 of Borodovsky and Ekisheva 2006, "Problems and
// Solutions in Biological Sequence Analysis": the path of GGCACTGAA has the probability 2^-24.49,
// and GGCA has 0.0038432. An enumeration of all paths gives the further digits.
func TestKnown(t *testing.T) {
	ctx := context.Background()
	e := file(t, "stochhmm-3_16Eddy.hmm")
	sequence := func(text string) (given []infer.Given) {
		for _, c := range text {
			given = append(given, infer.Evidence{"TRACK1": string(c)})
		}
		return given
	}
	path, err := e.Viterbi(ctx, sequence("GGCACTGAA"))
	if err != nil {
		t.Fatal(err)
	}
	states := ""
	for _, s := range path.Slices {
		states += s.Of("state")
	}
	if got := path.LogProb / math.Ln2; math.Abs(got+24.4874) > 5e-5 || states != "HHHLLLLLL" {
		t.Errorf("the path %s has the probability 2^%v; want HHHLLLLLL with 2^-24.4874", states, got)
	}
	smooth, err := e.Smooth(ctx, sequence("GGCA"))
	if err != nil {
		t.Fatal(err)
	}
	if got := math.Exp(smooth[0].LogProb); math.Abs(got-.00384315) > 5e-9 {
		t.Errorf("P(GGCA) is %v; want 0.00384315", got)
	}
	if got := file(t, "stochhmm-Dice.hmm").Model().Step().States(0); strings.Join(got, " ") != "FAIR LOADED" {
		t.Errorf("the states are %q; want FAIR and LOADED", got)
	}
	_, list := format.Read([]format.Format{stochhmm.Format}, filepath.Join(irtest.Shared(t), "data/temporal/stochhmm-Dice_explicit.hmm"), "", format.ReadOptions{})
	if err := list.Err(); err == nil || !strings.Contains(err.Error(), `found "DURATION: P(X)"; want "STANDARD: P(X)"`) {
		t.Errorf("error %v; want one about durations", err)
	}
}

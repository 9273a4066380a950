package uai_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/uai"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// observable returns a model of five variables, with 2, 2, 3, 3 and 8 states.
func observable() *model.Model {
	m := &model.Model{Kind: model.Markov}
	for i, card := range []int{2, 2, 3, 3, 8} {
		m.NewVar("x"+string(rune('0'+i)), strings.Split("01234567", "")[:card]...)
	}
	return m
}

// evidences holds the layouts of evidence, and samples in the form of show.
var evidences = []struct {
	name, text string
	want       string // samples: states by variable, blanks between
	err        string
}{
	{name: "empty", text: "\n", want: "....."},
	{name: "none", text: "0", want: "....."},
	{name: "one line", text: "2 0 1 4 7\n", want: "1...7"},
	{name: "one line without its end", text: "1 3 2", want: "...2."},
	{name: "pairs on lines", text: "2\n0 1\n4 7\n", want: "1...7"},
	{name: "comment", text: "# observed\n1 3 2 # x3", want: "...2."},
	{name: "Ergo", text: "/* Evidence */\n2\n 0    1\n 4    7\n", want: "1...7"},
	{name: "one sample", text: "1\n2 0 1 2 1\n", want: "1.1.."},
	{name: "sample without evidence", text: "1\n0\n", want: "....."},
	{name: "several samples", text: "3\n1 0 1\n0\n2 1 1 3 2\n", want: "1.... ..... .1.2."},
	{name: "several samples on a line", text: "3 1 0 1 0 2 1 1 3 2", want: "1.... ..... .1.2."},
	{name: "2008", text: "4 7 0 1", want: "1...7"},
	{name: "2008 on lines", text: "1 1\n2 0", want: ".10.."},
	{name: "numbers decide", text: "1 1\n1 0", want: ".0..."},
	{name: "lines decide for samples", text: "1\n2 3 0 1 1", want: ".1.0."},            // or x1=2 ..., out of range
	{name: "lines decide for two samples", text: "2\n0\n1 1 0\n", want: "..... .0..."}, // or x0=1, x1=0
	{name: "lines decide for one sample", text: "2 0 1 1 0", want: "10..."},
	{name: "lines decide for pairs", text: "1 1 2 0 3 0", want: ".100."},
	{name: "lines do not decide", text: "2 0\n1 1 0", err: "lines do not decide:1:1: found numbers that can be one sample or 2 samples; want a line for each sample, after one with their number"},
	{name: "too few", text: "0\n2 0", err: "too few:1:1: found 3 numbers, the first 0; want a count and as many pairs of a variable and a state, or a number of samples and that for each"},
	{name: "large count", text: "2147483647 0 1", err: "large count:1:1: found 3 numbers, the first 2147483647; want a count and as many pairs of a variable and a state, or a number of samples and that for each"},
	{name: "state", text: "2 0 1\n2 3", err: "state:2:3: found state 3 of variable 2; want 0 to 2"},
	{name: "variable", text: "1 5 0", err: "variable:1:3: found variable 5; want 0 to 4"},
	{name: "twice", text: "2 0 1 0 1", err: "twice:1:7: found variable 0 for the second time in a sample; want it once"},
	{name: "word", text: "1 0 yes", err: `word:1:5: found "yes"; want a number of evidence`},
	{name: "negative", text: "1 0 -1", err: `negative:1:5: found "-1"; want a number of evidence, from 0 to 2147483647`},
	{name: "open comment", text: "1 0 1 /* x", err: "open comment:1:7: comment is not closed; want */"},
}

func TestReadEvidence(t *testing.T) {
	for _, c := range evidences {
		if c.err != "" {
			c.want = ""
		}
		samples, list := uai.ReadEvidence(&format.Source{Name: c.name, Data: []byte(c.text)}, observable())
		if got := show(samples); got != c.want || message(&list) != c.err {
			t.Errorf("%s: %q is %q, %s; want %q, %s", c.name, c.text, got, message(&list), c.want, c.err)
		}
	}
}

// TestManySamples checks the bound on samples: each costs memory for all variables of the model.
func TestManySamples(t *testing.T) {
	m := &model.Model{Kind: model.Markov}
	for range 5000 {
		m.NewVar("x", "0")
	}
	_, list := uai.ReadEvidence(&format.Source{Name: "many", Data: []byte("1000\n" + strings.Repeat("0\n", 1000))}, m)
	if got := message(&list); got != "many:1:1: found 1000 samples; want 838 at most for 5000 variables" {
		t.Error(got)
	}
}

// show formats samples as ".1..2", the states by variable.
func show(samples [][]int) string {
	var text []string
	for _, sample := range samples {
		var b strings.Builder
		for _, s := range sample {
			b.WriteByte(".01234567"[s+1])
		}
		text = append(text, b.String())
	}
	return strings.Join(text, " ")
}

func message(list *diag.List) string {
	if err := list.Err(); err != nil {
		return err.Error()
	}
	return ""
}

func TestReadQuery(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []model.VarID
		err        string
	}{
		{name: "one line", text: "3 4 0 2", want: []model.VarID{4, 0, 2}},
		{name: "PASCAL2", text: "# MAP variables for x.uai; count = 2\n2\n4\n0\n", want: []model.VarID{4, 0}},
		{name: "none", text: "0"},
		{name: "too few", text: "3 4 0", err: "too few:1:1: the file declares 3 variables; the rest of it has room for at most 2"},
		{name: "cut", text: "3 4 0    \n", err: "cut:2:1: found end of file; want the number of a variable"},
		{name: "too many", text: "2 4 0 1", err: `too many:1:7: found "1"; want end of file`},
		{name: "more than there are", text: "6 0 1 2 3 4 5", err: `more than there are:1:1: found "6"; want the number of variables of the query, from 0 to 5`},
		{name: "unknown", text: "1 5", err: "unknown:1:3: found variable 5; want 0 to 4"},
		{name: "twice", text: "2 4 4", err: "twice:1:5: found variable 4 for the second time; want it once"},
		{name: "command", text: "PR\nquit", err: `command:1:1: found "PR"; want the number of variables of the query`},
	} {
		vars, list := uai.ReadQuery(&format.Source{Name: c.name, Data: []byte(c.text)}, observable())
		if !slices.Equal(vars, c.want) || message(&list) != c.err {
			t.Errorf("%s: got %v, %s; want %v, %s", c.name, vars, message(&list), c.want, c.err)
		}
	}
}

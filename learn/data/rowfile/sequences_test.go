package rowfile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// sequencesText has two sequences whose rows alternate, with a missing state.
const sequencesText = "house,umbrella,level\na,yes,1\nb,no,5\na,no,2\nb,,6\na,yes,3\n"

func loadText(t *testing.T, text string, opt rowfile.LoadOptions) (*data.Set, error) {
	t.Helper()
	r, err := rowfile.NewReader("days.csv", strings.NewReader(text), rowfile.CSV)
	if err != nil {
		t.Fatal(err)
	}
	return r.Load(opt)
}

// rowsOf writes the rows of a set, with -1 for a missing state.
func rowsOf(s *data.Set) string {
	states, values := make([]int, len(s.Vars)), make([]float64, len(s.Vars))
	var out []string
	for i := range s.Len() {
		s.Row(i, states)
		out = append(out, fmt.Sprint(states, s.Values(i, values)))
	}
	return strings.Join(out, " ")
}

func TestSequences(t *testing.T) {
	s, err := loadText(t, sequencesText, rowfile.LoadOptions{Slices: true, Sequence: "house", Real: []string{"level"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Vars) != 2 || s.Vars[0].Name != "umbrella" || s.Sequences() != 2 {
		t.Fatalf("%v in %d sequences; want umbrella and level in 2", s.Vars, s.Sequences())
	}
	if got, want := rowsOf(s), "[1 0] [0 1] [0 0] [0 2] [1 0] [0 3] [0 0] [0 5] [-1 0] [0 6]"; got != want {
		t.Errorf("rows %s; want %s", got, want)
	}
	if first, end := s.Sequence(1); first != 3 || end != 5 {
		t.Errorf("sequence 1 has the rows %d to %d; want 3 to 5", first, end)
	}
	begin, steps := s.Steps()
	if got, want := rowsOf(begin), "[1 0] [0 1] [0 0] [0 5]"; got != want {
		t.Errorf("first slices %s; want %s", got, want)
	}
	if got, want := rowsOf(steps), "[1 0 0 0] [0 1 0 2] [0 0 1 0] [0 2 0 3] [0 0 -1 0] [0 5 0 6]"; got != want {
		t.Errorf("steps %s; want %s", got, want)
	}
	if got := steps.Vars[0].Name + " " + steps.Vars[3].Name; got != "umbrella@-1 level" {
		t.Errorf("steps are of %s; want umbrella@-1 and level", got)
	}
	last := s.Sequenced([]int{1})
	if got, want := rowsOf(last), "[0 0] [0 5] [-1 0] [0 6]"; got != want || last.Sequences() != 1 {
		t.Errorf("%d sequences with the rows %s; want 1 with %s", last.Sequences(), got, want)
	}
}

// Without a column, all rows are one sequence; without Slices, they are independent.
func TestOneSequence(t *testing.T) {
	s, err := loadText(t, sequencesText, rowfile.LoadOptions{Slices: true})
	if err != nil || s.Sequences() != 1 || len(s.Vars) != 3 {
		t.Fatalf("%v, error %v; want one sequence of three variables", s, err)
	}
	if s, err = loadText(t, sequencesText, rowfile.LoadOptions{}); err != nil || s.Sequential() {
		t.Errorf("the rows are a sequence, error %v; want independent rows", err)
	}
	if s, err = s.InOneSequence(); err != nil || s.Sequences() != 1 {
		t.Errorf("error %v; want one sequence", err)
	}
	for _, first := range [][]int{nil, {1}, {0, 0}, {0, 9}, {0, 3, 2}} {
		if _, err := s.InSequences(first); err == nil {
			t.Errorf("sequences begin at %v; want an error", first)
		}
	}
}

func TestSequenceFaults(t *testing.T) {
	_, err := loadText(t, sequencesText, rowfile.LoadOptions{Slices: true, Sequence: "hose"})
	if want := `days.csv:1:1: no column is called "hose"; did you mean "house"?`; err == nil || err.Error() != want {
		t.Errorf("error %v; want %s", err, want)
	}
	s, err := loadText(t, sequencesText, rowfile.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.Reweighted(slices.Repeat([]float64{2}, s.Len())); err != nil {
		t.Fatal(err)
	}
	if _, err := s.InOneSequence(); err == nil || !strings.Contains(err.Error(), "the rows have weights") {
		t.Errorf("error %v; want one about weights", err)
	}
}

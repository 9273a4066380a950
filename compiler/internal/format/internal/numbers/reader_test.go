package numbers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// words lists the words of a text with their positions, and its comments.
func words(text string, comments numbers.Comments) string {
	var b strings.Builder
	r := numbers.New(&format.Source{Name: "t", Data: []byte(text)}, comments)
	r.OnComment = func(pos diag.Pos, text string) { fmt.Fprintf(&b, "(%s %d:%d) ", text, pos.Line, pos.Col) }
	for r.Next(); !r.AtEnd(); r.Next() {
		first := ""
		if r.FirstOfRow {
			first = "^"
		}
		fmt.Fprintf(&b, "%s%s %d:%d ", first, r.Text, r.Pos().Line, r.Pos().Col)
	}
	fmt.Fprintf(&b, "end %d:%d", r.Pos().Line, r.Pos().Col)
	if err := r.Err(); err != nil {
		fmt.Fprintf(&b, " %v", err)
	}
	return b.String()
}

func TestWords(t *testing.T) {
	const all = numbers.Hash | numbers.CLine | numbers.Block
	for _, c := range []struct {
		text     string
		comments numbers.Comments
		want     string
	}{
		{"", all, "end 1:1"},
		{"a bb\r\n\tc1 \x00d\n", all, "^a 1:1 bb 1:3 ^c1 2:2 d 2:6 end 3:1"},
		{"1#x\n2", all, "^1 1:1 (x 1:2) ^2 2:1 end 2:2"},
		{"1#x", 0, "^1#x 1:1 end 1:4"},
		{"c\n c x\n1 c", all, "( 1:1) ( x 2:2) ^1 3:1 c 3:3 end 3:4"},
		{"c 1", numbers.Hash, "^c 1:1 1 1:3 end 1:4"},
		{"1/* a\nb */2 /**/3", all, "^1 1:1 ( a\nb  1:2) ^2 2:5 ( 2:7) 3 2:11 end 2:12"},
		{"1 / 2 /x", all, "^1 1:1 / 1:3 2 1:5 /x 1:7 end 1:9"},
		{"1 /* 2\n3", all, "^1 1:1 ( 2\n3 1:3) end 2:2 t:1:3: comment is not closed; want */"},
	} {
		if got := words(c.text, c.comments); got != c.want {
			t.Errorf("%q: %s; want %s", c.text, got, c.want)
		}
	}
}

func TestStates(t *testing.T) {
	var s numbers.States
	few := s.Of(2)
	if got := fmt.Sprint(few, s.Of(11), s.Of(1)); got != "[0 1] [0 1 2 3 4 5 6 7 8 9 10] [0]" {
		t.Error(got)
	}
	if cap(few) != 2 {
		t.Error("appending to the states of one variable would change those of another")
	}
}

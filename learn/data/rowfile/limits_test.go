package rowfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// TestLimits checks that input that is too wide, too long or too large is rejected before it takes
// memory.
func TestLimits(t *testing.T) {
	const most = 1 << 16
	var attributes, states strings.Builder
	for i := range most + 1 {
		fmt.Fprintf(&attributes, "@attribute a%d real\n", i)
	}
	for i := range 5 {
		fmt.Fprintf(&states, "@attribute a%d {0", i)
		for k := 1; k < 60000; k++ {
			fmt.Fprintf(&states, ",%d", k)
		}
		states.WriteString("}\n")
	}
	for _, c := range []struct{ name, file, text, want string }{
		{"columns", "x.csv", strings.Repeat(",", most), "x.csv:1:1: there are more than 65536 columns; want at most that many"},
		{"many columns", "x.csv", "a\n" + strings.Repeat(",", 3*most), "x.csv:1: what follows this line has more than 65536 columns; want at most that many"},
		{"libra", "x.data", strings.Repeat("1,", most) + "1", "x.data:1:1: there are more than 65536 columns; want at most that many"},
		{"arff", "x.arff", attributes.String(), "x.arff:65537:1: there are more than 65536 columns; want at most that many"},
		{"arff, states", "x.arff", states.String(), "x.arff:5:1: the attributes take more than 4 MiB of text or have more than 262144 states; want at most that much"},
		{"long state", "x.csv", "a\n" + strings.Repeat("x", 1025) + "\n", `x.csv:2:1: column "a" has no state "` + strings.Repeat("x", 60) +
			`..."; want at most 65535 different values of at most 1024 bytes; leave the column out if it holds numbers or texts`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := load(c.file, c.text, rowfile.LoadOptions{})
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestLargeCards checks that all columns share the names of states that are numbers, so that a
// schema or a large number costs little.
func TestLargeCards(t *testing.T) {
	const columns = 10000
	cards := make([]int, columns)
	for i := range cards {
		cards[i] = data.MaxStates
	}
	row := strings.Repeat("65534,", columns-1) + "65534\n"
	for _, opt := range []rowfile.LoadOptions{{Cards: cards}, {}} {
		s, err := load("x.data", row, opt)
		if err != nil {
			t.Fatal(err)
		}
		first, last := s.Vars[0].States, s.Vars[columns-1].States
		if len(last) != data.MaxStates || last[data.MaxStates-1] != "65534" || &first[0] != &last[0] {
			t.Errorf("the last column has %d states, shared with the first: %v", len(last), &first[0] == &last[0])
		}
	}
}

package chart_test

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
)

// TestRender draws a plot and checks that the picture is one well-formed svg element of its size,
// in which names are escaped.
func TestRender(t *testing.T) {
	p := chart.New("a < b", "slice\n", "P")
	line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0.25}, {X: 1, Y: 0.75}})
	if err != nil {
		t.Fatal(err)
	}
	p.Add(line)
	text, err := chart.Render(p, 4*vg.Inch, 2*vg.Inch)
	if err != nil {
		t.Fatal(err)
	}
	elements := map[string]int{}
	for dec := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if x, ok := token.(xml.StartElement); ok {
			elements[x.Name.Local]++
		}
	}
	if !strings.HasPrefix(text, "<svg") || elements["svg"] != 1 || elements["path"] == 0 || elements["text"] < 3 {
		t.Errorf("elements %v in %s", elements, text)
	}
	for _, want := range []string{"a &lt; b", `width="288pt"`, `height="144pt"`, `slice\n`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if again, err := chart.Render(p, 4*vg.Inch, 2*vg.Inch); err != nil || again != text {
		t.Errorf("the same plot is drawn differently, error %v", err)
	}
}

// TestShort checks names that are cut by characters, not bytes.
func TestShort(t *testing.T) {
	for _, c := range [][2]string{
		{"smoke", "smoke"},
		{strings.Repeat("ä", 24), strings.Repeat("ä", 24)},
		{strings.Repeat("ä", 25), strings.Repeat("ä", 23) + "…"},
		{"a\tb", `"a\tb"`},
	} {
		if got := chart.Short(c[0]); got != c[1] {
			t.Errorf("%q is cut to %q; want %q", c[0], got, c[1])
		}
	}
	if got := chart.LegendName("smokes"); got != "smokes\u00a0\u00a0\u00a0" {
		t.Errorf("legend %q", got)
	}
}

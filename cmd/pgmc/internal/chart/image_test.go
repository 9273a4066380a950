package chart_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	graph "github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
)

// network is a drawing with each shape, tone and style.
func network() *graph.Graph {
	return &graph.Graph{Name: "all", Nodes: []graph.Node{
		{Lines: []string{"oval — ± ≤ é"}, Note: "tooltip"}, {Lines: []string{"box"}, Shape: graph.Box, Tone: graph.Green, Bold: true},
		{Lines: []string{"bars"}, Shape: graph.Round, Tone: graph.Amber, Bars: []graph.Bar{{Label: "yes", P: 1, Was: .25}, {Label: "no", Was: -1}}},
		{Lines: []string{"+"}, Shape: graph.Circle, Tone: graph.Grey},
	}, Edges: []graph.Edge{{From: 0, To: 1}, {From: 1, To: 2, Style: graph.Added, Width: 5}, {From: 0, To: 3, Style: graph.Missing, Note: "missing"}, {From: 0, To: 2, Style: graph.Turned}},
		Key: []graph.KeyEntry{{Style: graph.Missing, Text: "missing"}}}
}

// TestHeads draws an edge between two slices, with a head to the right.
func TestHeads(t *testing.T) {
	g := &graph.Graph{Slices: []string{"0", "1"}, Nodes: make([]graph.Node, 2), Edges: []graph.Edge{{From: 0, To: 1, Style: graph.Added, Width: 12}}}
	svg, err := g.SVG()
	if err != nil {
		t.Fatal(err)
	}
	text, err := chart.Encode("a.png", []byte(svg))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	high := 0
	for x := range picture.Bounds().Dx() {
		n := 0
		for y := range picture.Bounds().Dy() {
			if color.RGBAModel.Convert(picture.At(x, y)) == (color.RGBA{0x2e, 0x8b, 0x57, 0xff}) {
				n++
			}
		}
		high = max(high, n)
	}
	if high < 20 {
		t.Errorf("the edge is %d pixels high; want a head of 35, and a line of 12", high)
	}
}

// TestEncode draws a network as PNG of the size of its SVG, in which the colours of all of its
// parts are, and as PDF. The same network gives the same bytes.
func TestEncode(t *testing.T) {
	svg, err := network().SVG()
	if err != nil {
		t.Fatal(err)
	}
	if same, err := chart.Encode("a.svg", []byte(svg)); err != nil || string(same) != svg {
		t.Errorf("SVG changes, error %v", err)
	}
	text, err := chart.Encode("a.PNG", []byte(svg))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	colours := map[color.RGBA]int{}
	size := picture.Bounds().Size()
	for x := range size.X {
		for y := range size.Y {
			colours[color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)]++
		}
	}
	for what, c := range map[string]color.RGBA{
		"background": {0xff, 0xff, 0xff, 0xff}, "blue node": {0xe7, 0xef, 0xfb, 0xff}, "green node": {0xe6, 0xf4, 0xea, 0xff}, "amber node": {0xfd, 0xf1, 0xdc, 0xff},
		"grey node": {0xf2, 0xf3, 0xf5, 0xff}, "bar": {0xb9, 0x82, 0x2b, 0xff}, "added edge": {0x2e, 0x8b, 0x57, 0xff}, "head of a missing edge": {0xc0, 0x39, 0x2b, 0xff},
	} {
		if colours[c] == 0 {
			t.Errorf("the picture has no %s", what)
		}
	}
	var wide, high int
	for _, x := range []struct {
		name string
		to   *int
	}{{`width="`, &wide}, {`height="`, &high}} {
		_, rest, _ := strings.Cut(svg, x.name)
		for rest[0] >= '0' && rest[0] <= '9' {
			*x.to = 10**x.to + int(rest[0]-'0')
			rest = rest[1:]
		}
	}
	if d := size.Sub(image.Pt(wide, high)); d.X*d.X+d.Y*d.Y > 2 {
		t.Errorf("the picture has the size %v; the SVG %d x %d", size, wide, high)
	}
	pdf, err := chart.Encode("a.pdf", []byte(svg))
	if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF-")) || !bytes.HasSuffix(bytes.TrimSpace(pdf), []byte("%%EOF")) {
		t.Fatalf("error %v, PDF %.20q", err, pdf)
	}
	for name, first := range map[string][]byte{"a.png": text, "a.pdf": pdf} {
		if again, err := chart.Encode(name, []byte(svg)); err != nil || !bytes.Equal(again, first) {
			t.Errorf("%s differs the second time, error %v", name, err)
		}
	}
}

// TestImage checks that a text leaves ink where it stands, and that a picture may be too large.
func TestImage(t *testing.T) {
	text, err := chart.Image("x.png", 72, 36, func(c draw.Canvas) {
		c.SetColor(color.Black)
		c.FillText(draw.TextStyle{Color: color.Black, Font: chart.Sans(24), Handler: chart.New("", "", "").TextHandler}, vg.Point{X: 36, Y: 10}, "H")
	})
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	left, right := 0, 0
	for x := range 96 {
		for y := range 48 {
			if r, _, _, _ := picture.At(x, y).RGBA(); r < 0x4000 {
				if x < 48 {
					left++
				} else {
					right++
				}
			}
		}
	}
	if left != 0 || right < 50 {
		t.Errorf("%d and %d black pixels in the halves; want none, and those of a letter", left, right)
	}
	if _, err := chart.Image("x.png", 1e5, 1e5, nil); err == nil || !strings.HasPrefix(err.Error(), "x.png: the picture has 133333 x 133333 pixels, and 100000000 together are the most; write .svg or .pdf") {
		t.Errorf("error %v", err)
	}
}

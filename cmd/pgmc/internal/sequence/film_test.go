package sequence

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
)

// TestWholeNumbers checks the ticks of slices.
func TestWholeNumbers(t *testing.T) {
	for _, c := range []struct {
		slices int
		want   string
	}{
		{1, "0"}, {3, "0 1 2"}, {11, "0 2 4 6 8 10"}, {50, "0 5 10 15 20 25 30 35 40 45"}, {101, "0 20 40 60 80 100"},
		{1000, "0 100 200 300 400 500 600 700 800 900"},
	} {
		var got []string
		for _, x := range (wholeNumbers{}).Ticks(-.5, float64(c.slices)-.5) {
			got = append(got, x.Label)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%d slices: found ticks %s; want %s", c.slices, s, c.want)
		}
	}
}

// TestFilm checks what a picture shows, that an infinite variance cuts the band, and the limit of
// panels.
func TestFilm(t *testing.T) {
	f := &film{want: []bool{true, false, true}, index: map[string]*reel{}}
	for i, p := range []float64{.25, .5, 1} {
		variance := 1.0
		if i == 1 {
			variance = math.Inf(1)
		}
		m := &infer.Marginals{List: []infer.Distribution{
			{Var: "a", States: []string{"yes", "no"}, P: []float64{p, 1 - p}}, {Var: "b", Mean: 1}, {Var: "c", Mean: 3, Variance: variance}}}
		if err := f.add("", i == 2, m); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := f.write(&out, "film.svg"); err != nil {
		t.Fatal(err)
	}
	svg := out.String()
	for name, head := range map[string]string{"film.png": "\x89PNG", "film.pdf": "%PDF-"} {
		var image strings.Builder
		if err := f.write(&image, name); err != nil || !strings.HasPrefix(image.String(), head) {
			t.Errorf("%s: error %v, found %.10q", name, err, image.String())
		}
	}
	for _, c := range []struct {
		text string
		want int
	}{
		{"last row", 2}, {">mean<", 1}, {">yes<", 1}, {">b<", 0},
		{"fill-opacity:0.28", 3}, // two bands and their legend
	} {
		if n := strings.Count(svg, c.text); n != c.want {
			t.Errorf("%d times %q; want %d", n, c.text, c.want)
		}
	}
	for i := range mostPanels {
		err := f.add(fmt.Sprint(i), false, &infer.Marginals{List: make([]infer.Distribution, 3)})
		if (err != nil) != (2*(i+2) > mostPanels) {
			t.Fatalf("sequence %d: error %v", i+2, err)
		} else if err != nil {
			break
		}
	}
}

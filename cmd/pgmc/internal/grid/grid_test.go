package grid

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// shapes returns an image of a disc and a square with noise.
func shapes(size int, noise float64) *Image {
	rng := rand.New(rand.NewPCG(1, 2))
	m := &Image{Width: size, Height: size}
	for i := range size * size {
		y, x, v := float64(i/size)/float64(size), float64(i%size)/float64(size), 50.0
		switch {
		case square(x-.35)+square(y-.35) < .06:
			v = 140
		case x > .5 && x < .85 && y > .45 && y < .85:
			v = 220
		}
		m.Grey = append(m.Grey, math.Round(min(255, max(0, v+noise*rng.NormFloat64()))))
	}
	return m
}

// dots returns a pair of images of random dots, and the disparity of each pixel of the left one: a
// square and the background.
func dots(size, shift int) (left, right *Image, depth []int) {
	rng := rand.New(rand.NewPCG(3, 4))
	left, right = &Image{Width: size, Height: size}, &Image{Width: size, Height: size}
	for range size * size {
		left.Grey = append(left.Grey, float64(32*rng.IntN(8)))
		right.Grey = append(right.Grey, float64(32*rng.IntN(8)))
	}
	depth = make([]int, size*size)
	for _, front := range []bool{false, true} {
		for i := range depth {
			y, x := i/size, i%size
			if inside := min(x, y) >= size/4 && max(x, y) < size*3/4; inside == front {
				if front {
					depth[i] = shift
				}
				right.Grey[i-depth[i]] = left.Grey[i]
			}
		}
	}
	return left, right, depth
}

// best returns the states of a most probable completion, and its log-probability up to a constant.
func best(t *testing.T, m *model.Model, method string) ([]int, float64) {
	t.Helper()
	opt := infer.Options{Method: compiler.Named(method)}
	if method == "jointree" {
		opt.Queries = []string{"mpe"}
	}
	e, err := infer.New(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	x, err := e.MPE(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var states []int
	for _, s := range x.States {
		states = append(states, s.Index)
	}
	return states, x.LogProb
}

// TestDenoise compares the least energy of a model of 4 by 4 pixels with all images, by the formula
// of the help of pgmc new.
func TestDenoise(t *testing.T) {
	m := &Image{Width: 4, Height: 4, Grey: []float64{10, 0, 200, 240, 30, 120, 255, 250, 0, 60, 130, 255, 90, 0, 20, 140}}
	o := Options{Task: Denoise, Labels: 2, Smooth: 1.5, Truncate: 1, Noise: 100}
	g, err := New(m, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	least, image := math.Inf(1), 0
	for x := range 1 << 16 {
		e := 0.0
		at := func(i int) float64 { return float64(x >> i & 1) }
		for i, v := range m.Grey {
			e += square(v-255*at(i)) / (2 * o.Noise * o.Noise)
			if i%4 < 3 {
				e += o.Smooth * math.Abs(at(i)-at(i+1))
			}
			if i < 12 {
				e += o.Smooth * math.Abs(at(i)-at(i+4))
			}
		}
		if e < least {
			least, image = e, x
		}
	}
	for _, method := range []string{"jointree", "cut", "trws"} {
		states, _ := best(t, g, method)
		for i, s := range states {
			if s != image>>i&1 {
				t.Errorf("%s: pixel %d is %d; want %d", method, i, s, image>>i&1)
			}
		}
	}
}

// TestGreys checks the labels and a truncated term of a model of one row.
func TestGreys(t *testing.T) {
	g, err := New(&Image{Width: 3, Height: 1, Grey: []float64{0, 100, 255}}, nil, Options{Task: Denoise, Labels: 4, Smooth: 2, Noise: 10})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(g.States(1), " "); got != "0 85 170 255" || len(g.Factors) != 3+2 || g.Vars[2].Name != "r0c2" {
		t.Errorf("labels %s, %d factors, %s", got, len(g.Factors), g.Vars[2].Name)
	}
	state := []int{0, 1, 3}
	for i, want := range []float64{0, 0, 0, 2, 4} { // relative to the best label of a pixel
		if got := -math.Log(g.Value(g.Factors[i], state)); math.Abs(got-want) > 1e-12 {
			t.Errorf("factor %d: energy %v; want %v", i, got, want)
		}
	}
	if got, want := -math.Log(g.Value(g.Factors[1], []int{0, 2, 0})), (70*70-15*15)/200.; math.Abs(got-want) > 1e-9 {
		t.Errorf("energy %v; want %v", got, want)
	}
}

// TestSegment finds three shapes: nearly all pixels have the label of the shape.
func TestSegment(t *testing.T) {
	clean, noisy := shapes(24, 0), shapes(24, 20)
	g, err := New(noisy, nil, Options{Task: Segment, Labels: 3})
	if err != nil {
		t.Fatal(err)
	}
	states, _ := best(t, g, "trws")
	wrong := 0
	for i, s := range states {
		if s != slices.Index([]float64{50, 140, 220}, clean.Grey[i]) {
			wrong++
		}
	}
	if wrong > len(states)/100 {
		t.Errorf("%d of %d pixels are in the wrong segment", wrong, len(states))
	}
}

// TestStereo recovers the shift of a square of random dots, except beside its edges.
func TestStereo(t *testing.T) {
	left, right, depth := dots(24, 3)
	g, err := New(left, right, Options{Task: Stereo, Labels: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"trws", "cut"} {
		states, _ := best(t, g, method)
		wrong := 0
		for i, s := range states {
			y, x := i/24, i%24
			hidden := y >= 6 && y < 18 && x >= 3 && x < 6 // by the square, in the right image
			if s != depth[i] && !hidden {
				wrong++
			}
		}
		if wrong > len(states)/100 || states[12*24+12] != 3 || states[12*24+22] != 0 {
			t.Errorf("%s: %d of %d pixels have a wrong disparity", method, wrong, len(states))
		}
	}
}

// TestImages decodes images, and refuses broken and hostile ones before it makes room for them.
func TestImages(t *testing.T) {
	m := &Image{Width: 2, Height: 2, Grey: []float64{0, 85, 170, 255}}
	asPNG, err := m.Encode(".png")
	if err != nil {
		t.Fatal(err)
	}
	asText, err := m.Encode("")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(asPNG), string(asText), "P5 2 2 # comment\n3\n\x00\x01\x02\x03", "P5\n2\n2\n65535\n\x00\x00\x55\x55\xaa\xaa\xff\xff"} {
		if got, err := decode([]byte(text)); err != nil || !slices.Equal(got.Grey, m.Grey) || got.Width != 2 {
			t.Errorf("%.20q: %+v, %v", text, got, err)
		}
	}
	huge := bytes.Clone(asPNG)
	copy(huge[16:], "\x00\x01\x00\x00\x00\x01\x00\x00") // 65,536 by 65,536 pixels, with the right check sum
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	for text, want := range map[string]string{
		"":                        `found "" at the start of the image; want a PGM file, which starts with P2 or P5, or a PNG file`,
		"GIF89a":                  `found "GIF8" at the start of the image`,
		"P2":                      "byte 3 of the PGM file is no number",
		"P2 2 2 255 0 1 2":        "byte 17 of the PGM file is no number",
		"P2 2 2 255 0 1 2 256":    "pixel 4 of the PGM file has the value 256; want at most 255",
		"P5 2 2 255 ab":           "the PGM file ends within its 2 by 2 pixels",
		"P5 2 2 255":              "the PGM file ends within its 2 by 2 pixels",
		"P2 0 7 255":              "found an image of 0 by 7 pixels; want 1 to 262144 pixels",
		"P2 100000 100000 255":    "found an image of 100000 by 100000 pixels",
		"P2 99999999999999999999": "found a number above 262144 in a PGM file",
		"P2 1 1 70000 0":          "found 70000 as the value of white in a PGM file; want 1 to 65535",
		"\x89PNG\r\n\x1a\n":       "EOF",
		string(huge):              "found an image of 65536 by 65536 pixels; want 1 to 262144 pixels",
		string(asPNG[:60]):        "unexpected EOF",
	} {
		if _, err := decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: error %v; want %s", text, err, want)
		}
	}
}

// TestOptions checks messages about options and images that do not fit.
func TestOptions(t *testing.T) {
	flat, small := &Image{Width: 2, Height: 1, Grey: []float64{7, 7}}, &Image{Width: 1, Height: 1, Grey: []float64{9}}
	for _, c := range []struct {
		left, right *Image
		o           Options
		err         string
	}{
		{flat, nil, Options{Task: "paint"}, `found task "paint"; want one of denoise, segment, stereo`},
		{flat, nil, Options{Task: Stereo}, "task stereo has two images, of the left and the right eye; found one"},
		{flat, flat, Options{Task: Denoise}, "task denoise has one image; found two"},
		{flat, small, Options{Task: Stereo}, "found images of 2 by 1 and of 1 by 1 pixels; want two of one size"},
		{flat, nil, Options{Task: Denoise, Labels: 1}, "found 1 labels; want 2 to 256"},
		{flat, nil, Options{Task: Denoise, Smooth: -1}, "found smooth -1; want a number above 0, and 100 at most"},
		{flat, nil, Options{Task: Denoise, Noise: math.NaN()}, "found noise NaN; want a number above 0, and 1000 at most"},
		{flat, nil, Options{Task: Denoise, Smooth: 90, Truncate: 9}, "found smooth 90 and truncate 9; want at most 300 as their product"},
		{flat, nil, Options{Task: Segment, Truncate: 2}, "found truncate 2; task segment has no differences of labels to truncate"},
		{flat, nil, Options{Task: Segment}, "the image has 1 grey values; want at least as many as its 2 segments"},
		{&Image{Width: 512, Height: 512}, nil, Options{Task: Denoise, Labels: 17}, "found 512 by 512 pixels of 17 labels; want at most 4194304 pixels times labels"},
		{small, nil, Options{Task: Denoise}, ""},
		{small, small, Options{Task: Stereo}, ""},
		{flat, nil, Options{Task: Denoise, Labels: 256, Noise: 1e-9}, ""},
	} {
		if _, err := New(c.left, c.right, c.o); (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%+v: error %v; want %s", c.o, err, c.err)
		}
	}
}

// TestStates draws answers, and refuses others.
func TestStates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answer.json")
	for _, c := range []struct{ text, want string }{
		{`{"mpe": {"r0c0": "17", "r0c1": "254.6", "r1c0": "0", "r1c1": "255"}, "mpe_logp": -1}`, "P2\n2 2\n255\n17 255\n0 255\n"},
		{`{"mpe": {"r0c0": "d0", "r0c1": "d2", "r0c2": "d4"}}`, "P2\n3 1\n255\n0 128 255\n"},
		{`{"mpe": {"r0c0": "d0"}}`, "P2\n1 1\n255\n0\n"},
		{`{"mpe": {"r0c0": "1", "r1c1": "1"}}`, "found the states of 2 variables; want an answer with mpe, of pixels named r0c0 to r0c0"},
		{`{"mpe": {"r0c0": "-1"}}`, `found "-1" as the state of "r0c0"; want a number from 0 to 255, or d and such a number`},
		{`{"mpe": {"r0c0": "NaN"}}`, `found "NaN" as the state of "r0c0"`},
		{`{"logp": -1}`, "found no member mpe"},
		{`{"mpe": {"x": "1", "y": "0"}}`, "found the states of 2 variables, and none is a pixel, such as r0c0"},
		{`{"mpe": {"r0c0": "1", "r0c1": "0", "y": "0"}}`, "of pixels named r0c0 to r0c1"},
		{`x`, "want an answer of pgmc query --mpe --json"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		m, err := ReadStates(path)
		if err == nil {
			text, err := m.Encode("")
			if err != nil || string(text) != c.want {
				t.Errorf("%s: %q, %v; want %q", c.text, text, err, c.want)
			}
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v; want %s", c.text, err, c.want)
		}
	}
	m := &Image{Width: 3, Height: 2, Grey: []float64{0, 0, 16, 16, 16, 16}}
	text, err := m.Encode(".svg")
	if want := `<path fill="#000000" d="M0 0h2v1h-2z"/>` + "\n" + `<path fill="#101010" d="M2 0h1v1h-1zM0 1h3v1h-3z"/>`; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
}

// TestGallery compares the images of docs/gallery with what the generators make.
func TestGallery(t *testing.T) {
	left, right, _ := dots(40, 4)
	for name, m := range map[string]*Image{"shapes": shapes(40, 20), "left": left, "right": right} {
		path := filepath.Join(irtest.ModuleRoot(t), "docs", "gallery", name+".png")
		if irtest.Updating() {
			var b bytes.Buffer
			if err := png.Encode(&b, m.drawn()); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got, err := ReadImage(path)
		if err != nil || !slices.Equal(got.Grey, m.Grey) {
			t.Errorf("%s: %v; want %s", path, err, fmt.Sprint(m.Width, " by ", m.Height, " pixels of the generator"))
		}
	}
}

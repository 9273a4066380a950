package grid

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// disparity begins the name of a label that is no grey value.
const disparity = "d"

// Endings are the endings of the names of files that states are drawn to.
var Endings = []string{".pgm", ".png", ".svg"}

// ReadStates reads the answer of pgmc query --mpe --json to a model of an image.
func ReadStates(path string) (*Image, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var answer struct {
		MPE map[string]string `json:"mpe"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, fmt.Errorf("%s: %w; want an answer of pgmc query --mpe --json", path, err)
	}
	m, err := draw(answer.MPE)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// draw returns the image with the states of all pixels. A label that is a number is a grey value;
// d0, d1 and so on are drawn from black to white.
func draw(states map[string]string) (*Image, error) {
	m := &Image{}
	for m.Height < len(states) && states[pixel(m.Height, 0)] != "" {
		m.Height++
	}
	for m.Width < len(states) && states[pixel(0, m.Width)] != "" {
		m.Width++
	}
	switch {
	case states == nil:
		return nil, errors.New("found no member mpe; want an answer of pgmc query --mpe --json")
	case m.Height == 0:
		return nil, fmt.Errorf("found the states of %d variables, and none is a pixel, such as r0c0; want an answer to a model of an image, as pgmc new --grid makes it", len(states))
	case len(states) != m.Width*m.Height:
		return nil, fmt.Errorf("found the states of %d variables; want an answer with mpe, of pixels named r0c0 to r%dc%d", len(states), m.Height-1, m.Width-1)
	}
	if err := checkSize(m.Width, m.Height); err != nil {
		return nil, err
	}
	depth := false
	for i := range len(states) {
		name := pixel(i/m.Width, i%m.Width)
		number, is := strings.CutPrefix(states[name], disparity)
		depth = depth || is
		v, err := strconv.ParseFloat(number, 64)
		if err != nil || !(v >= 0 && v <= 255) {
			return nil, fmt.Errorf("found %q as the state of %q; want a number from 0 to 255, or d and such a number", states[name], name)
		}
		m.Grey = append(m.Grey, v)
	}
	if most := slices.Max(m.Grey); depth && most > 0 {
		for i := range m.Grey {
			m.Grey[i] *= 255 / most
		}
	}
	return m, nil
}

// Encode returns the image in the format of an ending; "" is PGM as text.
func (m *Image) Encode(ending string) ([]byte, error) {
	var b bytes.Buffer
	pixels := m.drawn()
	switch ending {
	case ".png":
		err := png.Encode(&b, pixels)
		return b.Bytes(), err
	case ".svg":
		return m.svg(), nil
	}
	fmt.Fprintf(&b, "P2\n%d %d\n255\n", m.Width, m.Height)
	for i, v := range pixels.Pix {
		end := " "
		if (i+1)%m.Width == 0 {
			end = "\n"
		}
		fmt.Fprintf(&b, "%d%s", v, end)
	}
	return b.Bytes(), nil
}

// svg returns a drawing with a path for each grey value, of a rectangle for each run of pixels.
func (m *Image) svg() []byte {
	const most = 512 // pixels of the longer side
	scale := max(1, most/max(m.Width, m.Height))
	paths := map[uint8]*strings.Builder{}
	pixels := m.drawn()
	for begin := 0; begin < len(pixels.Pix); {
		v, end := pixels.Pix[begin], begin+1
		for end%m.Width > 0 && pixels.Pix[end] == v {
			end++
		}
		if paths[v] == nil {
			paths[v] = &strings.Builder{}
		}
		fmt.Fprintf(paths[v], "M%d %dh%dv1h-%dz", begin%m.Width, begin/m.Width, end-begin, end-begin)
		begin = end
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" shape-rendering=\"crispEdges\">\n",
		scale*m.Width, scale*m.Height, m.Width, m.Height)
	for v := range math.MaxUint8 + 1 {
		if p := paths[uint8(v)]; p != nil {
			fmt.Fprintf(&b, "<path fill=\"#%02x%02x%02x\" d=\"%s\"/>\n", v, v, v, p)
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

package grid

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
)

// The largest images and files that are read.
const (
	mostPixels = 1 << 18
	mostBytes  = 16 << 20
)

// Image is a grey image, row by row, with values from 0 for black to 255 for white.
type Image struct {
	Width, Height int
	Grey          []float64
}

// ReadImage reads a file in PGM or PNG. It checks the size of an image before it makes room for it.
func ReadImage(path string) (*Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // nothing was written
	text, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err == nil && len(text) > mostBytes {
		err = fmt.Errorf("the file has more than %d bytes", mostBytes)
	}
	var m *Image
	if err == nil {
		m, err = decode(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// decode reads an image in the format that its first bytes name.
func decode(text []byte) (*Image, error) {
	switch {
	case bytes.HasPrefix(text, []byte("P2")), bytes.HasPrefix(text, []byte("P5")):
		return decodePGM(text)
	case bytes.HasPrefix(text, []byte("\x89PNG")):
		return decodePNG(text)
	}
	return nil, fmt.Errorf("found %.4q at the start of the image; want a PGM file, which starts with P2 or P5, or a PNG file", text)
}

// checkSize returns an error for images that are empty or too large.
func checkSize(width, height int) error {
	if width < 1 || height < 1 || width > mostPixels/height {
		return fmt.Errorf("found an image of %d by %d pixels; want 1 to %d pixels", width, height, mostPixels)
	}
	return nil
}

func decodePNG(text []byte) (*Image, error) {
	c, err := png.DecodeConfig(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if err := checkSize(c.Width, c.Height); err != nil {
		return nil, err
	}
	from, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	m := &Image{Width: c.Width, Height: c.Height, Grey: make([]float64, 0, c.Width*c.Height)}
	for y := range c.Height {
		for x := range c.Width {
			m.Grey = append(m.Grey, float64(color.GrayModel.Convert(from.At(x, y)).(color.Gray).Y))
		}
	}
	return m, nil
}

// pgm reads the header of a PGM file.
type pgm struct {
	text []byte
	at   int
}

// number returns the next number, after blanks and comments.
func (p *pgm) number() (n int, err error) {
	for ; p.at < len(p.text); p.at++ {
		if c := p.text[p.at]; c == '#' {
			for p.at < len(p.text) && p.text[p.at] != '\n' {
				p.at++
			}
		} else if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			break
		}
	}
	begin := p.at
	for ; p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9'; p.at++ {
		if n = 10*n + int(p.text[p.at]-'0'); n > mostPixels {
			return 0, fmt.Errorf("found a number above %d in a PGM file", mostPixels)
		}
	}
	if p.at == begin {
		return 0, fmt.Errorf("byte %d of the PGM file is no number", begin+1)
	}
	return n, nil
}

func decodePGM(text []byte) (*Image, error) {
	p := &pgm{text, 2}
	var head [3]int // width, height and the value of white
	for i := range head {
		var err error
		if head[i], err = p.number(); err != nil {
			return nil, err
		}
	}
	width, height, white := head[0], head[1], head[2]
	if err := checkSize(width, height); err != nil {
		return nil, err
	}
	if white < 1 || white > 65535 {
		return nil, fmt.Errorf("found %d as the value of white in a PGM file; want 1 to 65535", white)
	}
	m := &Image{Width: width, Height: height, Grey: make([]float64, width*height)}
	size, plain := 1, text[1] == '2'
	if white > 255 {
		size = 2
	}
	if p.at++; !plain && len(text)-p.at < size*len(m.Grey) {
		return nil, fmt.Errorf("the PGM file ends within its %d by %d pixels", width, height)
	}
	for i := range m.Grey {
		n := 0
		if plain {
			var err error
			if n, err = p.number(); err != nil {
				return nil, err
			}
		}
		for range size {
			if !plain {
				n = n<<8 + int(text[p.at])
				p.at++
			}
		}
		if n > white {
			return nil, fmt.Errorf("pixel %d of the PGM file has the value %d; want at most %d", i+1, n, white)
		}
		m.Grey[i] = 255 * float64(n) / float64(white)
	}
	return m, nil
}

// drawn returns the image of package image.
func (m *Image) drawn() *image.Gray {
	out := image.NewGray(image.Rect(0, 0, m.Width, m.Height))
	for i, v := range m.Grey {
		out.Pix[i] = uint8(min(255, max(0, v+.5)))
	}
	return out
}

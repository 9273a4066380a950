package chart

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	_ "gonum.org/v1/plot/vg/vgimg" // registers the format png
	_ "gonum.org/v1/plot/vg/vgpdf" // registers the format pdf
)

// Endings are the endings of the names of pictures.
var Endings = []string{".svg", ".png", ".pdf"}

// IsPicture reports whether a file is a picture, by the ending of its name.
func IsPicture(path string) bool { return Ending(path) == ".svg" || IsImage(path) }

// IsImage reports whether a file is a picture other than SVG, by the ending of its name.
func IsImage(path string) bool { return Ending(path) == ".png" || Ending(path) == ".pdf" }

// Ending returns the ending of a name in lower case.
func Ending(path string) string { return strings.ToLower(filepath.Ext(path)) }

// Picture returns what f draws, as PNG or PDF if path has such an ending, and otherwise as an svg
// element.
func Picture(path string, width, height vg.Length, f func(c draw.Canvas)) ([]byte, error) {
	if IsImage(path) {
		return Image(path, width, height, f)
	}
	text, err := Draw(width, height, f)
	return []byte(text), err
}

// pixel is a pixel of SVG, and of PNG.
const pixel = 72 * vg.Length(1) / 96

// mostPixels is the most pixels of a PNG, which takes 4 bytes of memory for each.
const mostPixels = 100_000_000

// created finds the time in a PDF, which would make the same picture differ.
var created = regexp.MustCompile(`\(D:\d{14}`)

// Image returns what f draws, as PNG or PDF by the ending of path. Texts are outlines, so that they
// need no font.
func Image(path string, width, height vg.Length, f func(c draw.Canvas)) ([]byte, error) {
	format := strings.TrimPrefix(Ending(path), ".")
	if pixels := float64(width/pixel) * float64(height/pixel); format == "png" && pixels > mostPixels {
		return nil, fmt.Errorf("%s: the picture has %.0f x %.0f pixels, and %d together are the most; write .svg or .pdf", path, width/pixel, height/pixel, mostPixels)
	}
	c, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return nil, err
	}
	f(draw.NewCanvas(outlined{c}, width, height))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	if format == "pdf" {
		return created.ReplaceAll(b.Bytes(), []byte("(D:20000101000000")), nil
	}
	return b.Bytes(), nil
}

// outlined is a canvas that draws texts as the outlines of their characters. The canvas for PDF
// would take a text for one in the encoding of Windows.
type outlined struct{ vg.Canvas }

// FillString implements [vg.Canvas].
func (c outlined) FillString(f font.Face, at vg.Point, text string) {
	var buffer sfnt.Buffer
	em := fixed.I(int(f.Face.UnitsPerEm()))
	scale := f.Font.Size / vg.Length(em)
	var path vg.Path // of the whole text, since a fill of PNG takes a while
	for _, r := range text {
		glyph, err := f.Face.GlyphIndex(&buffer, r)
		if err != nil {
			continue
		}
		if outline, err := f.Face.LoadGlyph(&buffer, glyph, em, nil); err == nil {
			path = appendOutline(path, outline, at, scale)
		}
		if wide, err := f.Face.GlyphAdvance(&buffer, glyph, em, xfont.HintingNone); err == nil {
			at.X += vg.Length(wide) * scale
		}
	}
	c.Fill(path)
}

// appendOutline appends the outline of a character, whose origin is at a point.
func appendOutline(path vg.Path, outline sfnt.Segments, at vg.Point, scale vg.Length) vg.Path {
	point := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + vg.Length(p.X)*scale, Y: at.Y - vg.Length(p.Y)*scale}
	}
	for i, s := range outline {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(point(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(point(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(point(s.Args[0]), point(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(point(s.Args[0]), point(s.Args[1]), point(s.Args[2]))
		}
	}
	if len(outline) > 0 {
		path.Close()
	}
	return path
}

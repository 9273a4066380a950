package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"maps"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Encode returns a picture of package draw, which is SVG, as PNG or PDF if path has such an ending,
// and otherwise unchanged.
func Encode(path string, svg []byte) ([]byte, error) {
	if !IsImage(path) {
		return svg, nil
	}
	list, err := elementsOf(svg)
	if err != nil {
		return nil, err
	}
	width, height := list[0].length("width"), list[0].length("height")
	return Image(path, width, height, func(c draw.Canvas) {
		d := &drawing{c, height}
		for _, e := range list[1:] {
			d.draw(&e)
		}
	})
}

// element is an element of SVG with its attributes, to which those of its groups belong.
type element struct {
	name string
	attr map[string]string
	text string
}

// elementsOf returns the elements of a picture, the svg element first, without groups and tooltips.
func elementsOf(svg []byte) (list []element, err error) {
	groups := []map[string]string{{}}
	for dec := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := dec.Token()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		switch x := token.(type) {
		case xml.StartElement:
			attr := maps.Clone(groups[len(groups)-1])
			for _, a := range x.Attr {
				attr[a.Name.Local] = a.Value
			}
			groups = append(groups, attr)
			if name := x.Name.Local; name != "g" && name != "title" {
				list = append(list, element{name: name, attr: attr})
			}
		case xml.CharData:
			if last := len(list) - 1; last >= 0 && list[last].name == "text" && list[last].text == "" {
				list[last].text = string(x)
			}
		case xml.EndElement:
			groups = groups[:len(groups)-1]
		}
	}
}

// number returns an attribute in pixels; 0 if there is none.
func (e *element) number(name string) float64 {
	x, _ := strconv.ParseFloat(e.attr[name], 64)
	return x
}

// length returns an attribute that is a length.
func (e *element) length(name string) vg.Length { return vg.Length(e.number(name)) * pixel }

// colour returns the colour of an attribute; ok is false for none.
func (e *element) colour(name string) (c color.Color, ok bool) {
	x, err := strconv.ParseUint(strings.TrimPrefix(e.attr[name], "#"), 16, 32)
	return color.RGBA{uint8(x >> 16), uint8(x >> 8), uint8(x), 0xff}, err == nil
}

// drawing draws elements on a canvas, whose origin is at the lower left.
type drawing struct {
	canvas draw.Canvas
	height vg.Length
}

// at returns the place of a point in pixels.
func (d *drawing) at(x, y float64) vg.Point {
	return vg.Point{X: vg.Length(x) * pixel, Y: d.height - vg.Length(y)*pixel}
}

// draw draws an element.
func (d *drawing) draw(e *element) {
	switch e.name {
	case "path":
		d.paint(e, d.path(e.attr["d"]))
	case "rect":
		d.paint(e, d.box(e.number("x"), e.number("y"), e.number("width"), e.number("height"), e.number("rx"), e.number("rx")))
	case "ellipse":
		x, y := e.number("rx"), e.number("ry")
		d.paint(e, d.box(e.number("cx")-x, e.number("cy")-y, 2*x, 2*y, x, y))
	case "text":
		style := draw.TextStyle{Font: Sans(e.length("font-size")), Handler: plot.DefaultTextHandler}
		style.Color, _ = e.colour("fill")
		at := d.at(e.number("x"), e.number("y"))
		if before, ok := map[string]vg.Length{"middle": .5, "end": 1}[e.attr["text-anchor"]]; ok {
			at.X -= before * style.Width(e.text)
		}
		d.canvas.FillText(style, at, e.text)
	}
}

// paint fills a path and draws its line.
func (d *drawing) paint(e *element, p vg.Path) {
	if c, ok := e.colour("fill"); ok {
		d.canvas.SetColor(c)
		d.canvas.Fill(p)
	}
	c, ok := e.colour("stroke")
	if !ok {
		return
	}
	var dashes []vg.Length
	for _, x := range strings.Fields(e.attr["stroke-dasharray"]) {
		n, _ := strconv.ParseFloat(x, 64)
		dashes = append(dashes, vg.Length(n)*pixel)
	}
	d.canvas.SetLineStyle(draw.LineStyle{Color: c, Width: e.length("stroke-width"), Dashes: dashes})
	d.canvas.Stroke(p)
}

// corner is how far along its tangents the control points of a quarter of an ellipse lie.
const corner = .5523

// box returns a rectangle whose corners are quarters of an ellipse with the half axes rx and ry.
func (d *drawing) box(x, y, width, height, rx, ry float64) (p vg.Path) {
	right, bottom, kx, ky := x+width, y+height, (1-corner)*rx, (1-corner)*ry
	p.Move(d.at(x+rx, y))
	p.Line(d.at(right-rx, y))
	p.CubeTo(d.at(right-kx, y), d.at(right, y+ky), d.at(right, y+ry))
	p.Line(d.at(right, bottom-ry))
	p.CubeTo(d.at(right, bottom-ky), d.at(right-kx, bottom), d.at(right-rx, bottom))
	p.Line(d.at(x+rx, bottom))
	p.CubeTo(d.at(x+kx, bottom), d.at(x, bottom-ky), d.at(x, bottom-ry))
	p.Line(d.at(x, y+ry))
	p.CubeTo(d.at(x, y+ky), d.at(x+kx, y), d.at(x+rx, y))
	p.Close()
	return p
}

// path returns a path of the commands M, L, C, h, v and z.
func (d *drawing) path(text string) (p vg.Path) {
	var x, y float64
	for text != "" {
		command := text[0]
		end := strings.IndexAny(text[1:], "MLChvz") + 1
		if end == 0 {
			end = len(text)
		}
		var n []float64
		for _, word := range strings.Fields(text[1:end]) {
			value, _ := strconv.ParseFloat(word, 64)
			n = append(n, value)
		}
		text = text[end:]
		switch {
		case command == 'z':
			p.Close()
		case command == 'h' && len(n) == 1:
			x += n[0]
			p.Line(d.at(x, y))
		case command == 'v' && len(n) == 1:
			y += n[0]
			p.Line(d.at(x, y))
		case command == 'C' && len(n) == 6:
			x, y = n[4], n[5]
			p.CubeTo(d.at(n[0], n[1]), d.at(n[2], n[3]), d.at(x, y))
		case len(n) == 2:
			if x, y = n[0], n[1]; command == 'M' {
				p.Move(d.at(x, y))
			} else {
				p.Line(d.at(x, y))
			}
		default:
			panic(fmt.Sprintf("chart: unknown command of a path, %c with %d numbers", command, len(n)))
		}
	}
	return p
}

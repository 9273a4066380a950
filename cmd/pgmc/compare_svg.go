package main

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// drawComparison writes error against time, both on logarithmic scales, a point a method. An empty path is no drawing.
func (a *app) drawComparison(r *compareReport, path string) error {
	if path == "" {
		return nil
	}
	f, err := a.resultFile(path)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, r.svg())
	return f.finish(err)
}

// The measures of the drawing, in pixels, and what stands for an error of zero.
const (
	plotWidth, plotHeight = 640, 420
	plotLeft, plotRight   = 70, 170
	plotTop, plotBottom   = 40, 50
	leastError            = 1e-16
)

// svg draws the methods that have errors to show.
func (r *compareReport) svg() string {
	var times, errors []float64
	var names []string
	for _, m := range r.Methods {
		if m.Refused == "" && m.Largest != nil {
			names = append(names, m.Method)
			times, errors = append(times, math.Log10(max(m.Seconds, 1e-9))), append(errors, math.Log10(max(*m.Largest, leastError)))
		}
	}
	x, y := scaleOf(times, plotLeft, plotWidth-plotRight), scaleOf(errors, plotHeight-plotBottom, plotTop)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", plotWidth, plotHeight)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", plotWidth, plotHeight)
	fmt.Fprintf(&b, `<text x="%d" y="20" font-size="14">%s</text>`+"\n", plotLeft, html.EscapeString(table.Printable(r.Model)))
	for d := x.from; d <= x.to; d++ {
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#ddd"/><text x="%.1f" y="%d" text-anchor="middle">1e%d s</text>`+"\n",
			x.at(float64(d)), plotTop, x.at(float64(d)), plotHeight-plotBottom, x.at(float64(d)), plotHeight-plotBottom+18, d)
	}
	for d := y.from; d <= y.to; d++ {
		fmt.Fprintf(&b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">1e%d</text>`+"\n",
			plotLeft, y.at(float64(d)), plotWidth-plotRight, y.at(float64(d)), plotLeft-6, y.at(float64(d))+4, d)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d">time of an answer</text><text x="%d" y="%d">largest error of a probability</text>`+"\n",
		plotLeft, plotHeight-10, plotLeft, plotTop-6)
	for i, name := range names {
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="4" fill="#205080"/><text x="%.1f" y="%.1f">%s</text>`+"\n",
			x.at(times[i]), y.at(errors[i]), x.at(times[i])+7, y.at(errors[i])+4, html.EscapeString(table.Printable(name)))
	}
	return b.String() + "</svg>\n"
}

// scale maps logarithms to places, between two whole powers of ten.
type scale struct {
	from, to    int
	start, stop float64
}

// scaleOf is one on which all of values lie; without any, one decade.
func scaleOf(values []float64, start, stop int) scale {
	s := scale{from: 0, to: 1, start: float64(start), stop: float64(stop)}
	for i, v := range values {
		low, high := int(math.Floor(v)), int(math.Ceil(v))
		if i == 0 {
			s.from, s.to = low, max(high, low+1)
		}
		s.from, s.to = min(s.from, low), max(s.to, high)
	}
	return s
}

func (s scale) at(v float64) float64 {
	return s.start + (s.stop-s.start)*(v-float64(s.from))/float64(s.to-s.from)
}

package probmodelxml

import (
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/xmltext"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// maxSlices bounds the number of slices of a file.
const maxSlices = 1 << 20

// timing holds what a file says of the slices of a network.
type timing struct {
	slices     int    // 0 if the file does not say
	transition string // when the state changes: at the BEGINNING, HALF or END of a cycle
	pos        diag.Pos
	cycle      float64 // the length of a cycle, in the unit of numeric variables
	years      float64 // the length of a cycle
	rates      map[string]rate
}

// rate is the discount rate of a criterion for a year, or else for a cycle.
type rate struct {
	value float64
	year  bool
}

// newTiming returns the defaults of OpenMarkov.
func newTiming() timing {
	return timing{transition: "BEGINNING", cycle: 1, years: 1, rates: map[string]rate{}}
}

// discount returns the factor of a criterion in a slice against the one before.
func (t *timing) discount(criterion string) float64 {
	r := t.rates[criterion]
	if r.year {
		return math.Pow(1+r.value, -t.years)
	}
	return 1 / (1 + r.value)
}

// first reports whether the utilities of slice 0 count. If the state changes at the beginning of a
// cycle, slice 0 is the state before the first cycle.
func (t *timing) first() bool { return t.transition == "END" }

// horizon returns the number of slices, of which the first one may count nothing.
func (t *timing) horizon() int {
	if t.slices > 0 && !t.first() {
		return t.slices + 1
	}
	return t.slices
}

// units holds how many units of time are in a year, as OpenMarkov has them.
var units = map[string]float64{"YEAR": 1, "MONTH": 12, "WEEK": 52, "DAY": 365, "HOUR": 8760, "MINUTE": 525600, "SECOND": 31536000, "MILISECOND": 31536000e3}

// cycle reads the length of a cycle.
func (p *parser) cycle(e xmltext.Element) {
	unit, given := e.Attr("unit")
	perYear := units[strings.TrimSpace(unit)]
	if !given {
		perYear = 1
	}
	value, ok := e.Attr("Value")
	if !ok {
		value, ok = e.Attr("value")
	}
	x, err := text.Number(value)
	if !ok {
		x, err = 1, nil
	}
	if perYear == 0 || err != nil || !(x > 0) {
		p.Errorf(e.Pos, "found a cycle of %s in the unit %s; want a number above 0 and YEAR, MONTH, WEEK, DAY, HOUR, MINUTE, SECOND or MILISECOND", text.Quote(value), text.Quote(unit))
		return
	}
	p.time.cycle, p.time.years = x, x/perYear
}

// temporal reads the number of slices, the time of transitions and the discount rates.
func (p *parser) temporal(e xmltext.Element) {
	p.time.pos = e.Pos
	p.children(e, func(e xmltext.Element) {
		switch e.Name {
		case "Slices":
			s, pos, _ := p.dec.Text(e)
			n, err := strconv.Atoi(s)
			if err != nil || n < 0 || n > maxSlices {
				p.Errorf(pos, "found %s slices; want a number from 0 to %d", text.Quote(s), maxSlices)
				return
			}
			p.time.slices = n
		case "Transition":
			s, pos, _ := p.dec.Text(e)
			if s != "BEGINNING" && s != "HALF" && s != "END" {
				p.Errorf(pos, "found transitions at %s; want BEGINNING, HALF or END", text.Quote(s))
			}
			p.time.transition, p.time.pos = s, pos
		case "DiscountRates":
			p.within(e, "DiscountRate", p.discountRate)
		}
	})
}

// discountRate reads the discount rate of a criterion.
func (p *parser) discountRate(e xmltext.Element) {
	name, _ := e.Attr("Criterion")
	value, _ := e.Attr("value")
	unit, _ := e.Attr("unit")
	x, err := text.Number(value)
	if err != nil || x < 0 || unit != "YEAR" && unit != "CYCLE" {
		p.Errorf(e.Pos, "found the discount rate %s of %s for each %s; want a number of 0 or more, for each YEAR or CYCLE", text.Quote(value), text.Quote(name), text.Quote(unit))
		return
	}
	p.time.rates[strings.TrimSpace(name)] = rate{x, unit == "YEAR"}
}

package numbers

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Wide is the number Frac times 2 to the power Exp. Exp is 0 if a float64 holds the number.
type Wide struct {
	Frac float64
	Exp  int
}

// mostBits bounds the exponents of numbers of a file, so that their product with the first part of
// ln 2 is exact, and productBits those of the product of all tables.
const (
	mostBits    = 1 << 20
	productBits = 1 << 24
)

// tiny stands for numbers below 2 to the power -mostBits, which are 0 beside others.
var tiny = Wide{.5, -2 * mostBits}

// Potential reads a number of at least 0 and steps past it.
func (r *Reader) Potential(want string) (Wide, bool) {
	x, err := strconv.ParseFloat(r.Text, 64)
	wide := errors.Is(err, strconv.ErrRange) || err == nil && x == 0 && strings.Trim(r.Text, "+0.") != ""
	if !wide || !plain(r.Text) {
		w := r.Word
		x, ok := r.Float(want)
		if ok && x < 0 {
			r.Errorf(r.PosOf(w), "found %s; want %s of at least 0", text.Quote(w.Text), want)
			return Wide{}, false
		}
		return Wide{Frac: x + 0}, ok // -0 becomes 0
	}
	f, _, err := big.ParseFloat(r.Text, 10, 64, big.ToNearestEven)
	if err != nil || f.IsInf() || f.Sign() < 0 || f.MantExp(nil) > mostBits {
		return Wide{}, r.Fail(want + " of at least 0 and at most 2^1048576")
	}
	r.Next()
	exp := f.MantExp(f)
	if exp < -mostBits {
		return tiny, true
	}
	frac, _ := f.Float64()
	return Wide{frac, exp}, true
}

// Antilog reads the natural logarithm of a number, which may be -inf, and steps past it.
func (r *Reader) Antilog(want string) (Wide, bool) {
	if r.Text == "-inf" {
		r.Next()
		return Wide{}, true
	}
	at := r.Word
	x, ok := r.Float(want)
	switch {
	case !ok:
		return Wide{}, false
	case -708 <= x && x <= MaxLog: // e to the power x is normal
		return Wide{Frac: math.Exp(x)}, true
	case x > mostBits*math.Ln2:
		r.Errorf(r.PosOf(at), "found %s; want %s of %.0f at most", text.Quote(at.Text), want, mostBits*math.Ln2)
		return Wide{}, false
	case x < -mostBits*math.Ln2:
		return tiny, true
	}
	const high, low = 0x1.62e42fefp-1, 0x1.473de6af278edp-34 // the parts of ln 2
	n := math.Floor(x / math.Ln2)
	return Wide{math.Exp(x - n*high - n*low), int(n)}, true
}

// Entries are the numbers of a table.
type Entries struct {
	values []float64
	exps   []int // nil if all are 0
}

// NewEntries returns n zeros.
func NewEntries(n int) *Entries { return &Entries{values: make([]float64, n)} }

// Set sets number i.
func (e *Entries) Set(i int, x Wide) {
	e.values[i] = x.Frac
	if x.Exp != 0 && e.exps == nil {
		e.exps = make([]int, len(e.values))
	}
	if e.exps != nil {
		e.exps[i] = x.Exp
	}
}

// near is how many bits the numbers of a table may lie apart so that all keep their digits when the
// largest one is about 1.
const near = 900

// Finish makes f a table of the numbers. Those of a potential are divided by a power of two if
// float64 does not hold them, which [Reader.Constants] makes up for. Numbers that are lost, since
// others of the table are too much larger, get a warning at the given position.
func (e *Entries) Finish(r *Reader, f *model.Factor, at Word) {
	f.Dist = &model.Table{Values: e.values}
	if e.exps == nil {
		return
	}
	least, most := math.MaxInt, math.MinInt
	for i, x := range e.values {
		if x > 0 {
			frac, exp := math.Frexp(x)
			e.values[i], e.exps[i] = frac, e.exps[i]+exp
			least, most = min(least, e.exps[i]), max(most, e.exps[i])
		}
	}
	if most < -mostBits {
		r.Errorf(r.PosOf(at), "no number of the table is above 2^-%d; want one", mostBits)
	}
	by := 0
	if f.Child < 0 {
		by = max(most-1023, min(most, least+near))
	}
	lost := 0
	for i, x := range e.values {
		if e.values[i] = math.Ldexp(x, e.exps[i]-by); e.values[i] == 0 && x > 0 {
			lost++
		}
	}
	if r.exp += by; lost > 0 {
		r.Warnf(r.PosOf(at), "%d numbers of the table are too small beside the others for float64 and become 0", lost)
	}
}

// Constants adds factors without variables to a Markov network, which multiply its product by the
// powers of two by which tables were divided.
func (r *Reader) Constants(m *model.Model) {
	const step = 1000 // bits of one float64
	if max(r.exp, -r.exp) > productBits {
		r.Errorf(diag.Pos{File: r.file}, "the product of the tables is about 2^%d; want less than %d bits", r.exp, productBits)
		return
	}
	for pos := (diag.Pos{File: r.file}); r.exp != 0; {
		by := max(-step, min(step, r.exp))
		r.exp -= by
		m.Factors = append(m.Factors, &model.Factor{Child: -1, Dist: &model.Table{Values: []float64{math.Ldexp(1, by)}}, Pos: pos})
	}
}

package independence

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
)

// Oracle says whether x and y are independent given others.
type Oracle func(x, y int, given []int) Outcome

// Outcome is what a test found.
type Outcome struct {
	Independent bool
	// Support says how well the counts agree with independence; of two tests of one kind, the one with more agrees better. It is the
	// probability of a larger deviance under independence, and for mi minus the mutual information.
	Support float64
	Thin    bool // there are fewer rows than five a cell of the table, and the distribution of the deviance is another one
	Skipped bool // the table would have more than MaxCells cells; taken for dependence
}

// MaxCells is the most cells of a table: there are hardly data that fill more.
const MaxCells = 1 << 20

// thin is the rows a cell below which the tail of the distribution is not to be trusted: Cochran 1952 asks for five.
const thin = 5

// Kinds are the names of the tests.
var Kinds = []string{"chi2", "g", "mi"}

// Options of a test.
type Options struct {
	Kind      string
	Level     float64 // of chi2 and g: a deviance with a smaller probability under independence rejects it
	Threshold float64 // of mi: more mutual information, in nats, rejects independence
}

// New makes tests on the rows of c. Several goroutines may use them at once.
func New(c *data.Counter, opt Options) (Oracle, error) {
	switch {
	case !slices.Contains(Kinds, opt.Kind):
		return nil, fmt.Errorf("unknown test %q; want chi2, g or mi", opt.Kind)
	case !(opt.Level > 0 && opt.Level < 1):
		return nil, fmt.Errorf("significance level %v; want a number above 0 and below 1", opt.Level)
	case !(opt.Threshold >= 0) || math.IsInf(opt.Threshold, 0):
		return nil, fmt.Errorf("threshold %v of the mutual information; want a number from 0", opt.Threshold)
	}
	return func(x, y int, given []int) Outcome {
		vars := append(slices.Clone(given), x, y)
		cells, ok := c.Size(vars)
		if !ok || cells > MaxCells {
			return Outcome{Skipped: true, Support: math.Inf(-1)}
		}
		n := c.Counts(vars...)
		d, free, rows := Deviance(opt.Kind, n, c.Card(x), c.Card(y))
		o := Outcome{Thin: rows < thin*float64(cells)}
		if opt.Kind == "mi" {
			o.Support, o.Independent = -d, d <= opt.Threshold
		} else {
			o.Support = Tail(free, d)
			o.Independent = o.Support >= opt.Level
		}
		return o
	}, nil
}

// Deviance measures how far counts are from independence of two variables with so many states, the second one fastest, in each state of
// others, which are slowest. It gives the degrees of freedom and the weight of all rows as well.
func Deviance(kind string, n []float64, cardX, cardY int) (deviance, free, rows float64) {
	byX, byY := make([]float64, cardX), make([]float64, cardY)
	for table := range slices.Chunk(n, cardX*cardY) {
		all := margins(table, byX, byY)
		if all == 0 {
			continue
		}
		rows += all
		free += float64(positive(byX)-1) * float64(positive(byY)-1)
		for i, o := range table {
			expected := byX[i/cardY] * byY[i%cardY] / all
			switch {
			case expected == 0:
			case kind == "chi2":
				deviance += (o - expected) * (o - expected) / expected
			case o > 0:
				deviance += 2 * o * math.Log(o/expected)
			}
		}
	}
	if kind == "mi" && rows > 0 {
		deviance /= 2 * rows
	}
	return deviance, free, rows
}

// margins adds up a table by its first and by its second variable, and altogether.
func margins(table, byX, byY []float64) (all float64) {
	clear(byX)
	clear(byY)
	for i, o := range table {
		byX[i/len(byY)] += o
		byY[i%len(byY)] += o
		all += o
	}
	return all
}

func positive(x []float64) (n int) {
	for _, v := range x {
		if v > 0 {
			n++
		}
	}
	return n
}

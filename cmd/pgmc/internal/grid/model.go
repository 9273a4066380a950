package grid

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// The tasks.
const (
	Segment = "segment"
	Denoise = "denoise"
	Stereo  = "stereo"
)

// Tasks lists the tasks.
var Tasks = []string{Denoise, Segment, Stereo}

// Options describe a model of an image. A zero is the default of the task.
type Options struct {
	Task     string
	Labels   int     // number of labels: segments, grey values, or disparities from 0
	Smooth   float64 // weight of the smoothness terms
	Truncate float64 // largest difference of labels that counts; segments have none
	Noise    float64 // standard deviation of grey values about those of a label
}

// defaults has the options by task.
var defaults = map[string]Options{
	Denoise: {Labels: 16, Smooth: 1, Truncate: 3, Noise: 20},
	Segment: {Labels: 2, Smooth: 2},
	Stereo:  {Labels: 8, Smooth: 1, Truncate: 2, Noise: 20},
}

// Limits of options. mostEnergy keeps a number of a table from the least positive one.
const (
	mostLabels  = 256
	mostNumbers = 1 << 22 // numbers of all data terms
	mostWeight  = 100
	mostEnergy  = 300
)

// outlier is the energy of the data term of disparities that no grey value exceeds, so that pixels
// that one image hides cost little. It is also the energy of a disparity that leads out of the
// image.
const outlier = 8

// complete sets defaults and checks the options.
func (o *Options) complete(m *Image) error {
	d := defaults[o.Task]
	for _, x := range []struct {
		what  string
		value *float64
		usual float64
		most  float64
	}{{"smooth", &o.Smooth, d.Smooth, mostWeight}, {"truncate", &o.Truncate, d.Truncate, mostLabels}, {"noise", &o.Noise, d.Noise, 1000}} {
		if *x.value == 0 {
			*x.value = x.usual
		}
		if !(*x.value >= 0 && *x.value <= x.most) {
			return fmt.Errorf("found %s %v; want a number above 0, and %v at most", x.what, *x.value, x.most)
		}
	}
	if o.Labels == 0 {
		o.Labels = d.Labels
	}
	switch n := m.Width * m.Height; {
	case o.Task == Segment && o.Truncate > 0:
		return fmt.Errorf("found truncate %v; task %s has no differences of labels to truncate", o.Truncate, o.Task)
	case o.Labels < 2 || o.Labels > mostLabels:
		return fmt.Errorf("found %d labels; want 2 to %d", o.Labels, mostLabels)
	case n > mostNumbers/o.Labels:
		return fmt.Errorf("found %d by %d pixels of %d labels; want at most %d pixels times labels", m.Width, m.Height, o.Labels, mostNumbers)
	case o.Smooth*min(o.Truncate, float64(o.Labels-1)) > mostEnergy:
		return fmt.Errorf("found smooth %v and truncate %v; want at most %d as their product", o.Smooth, o.Truncate, mostEnergy)
	}
	return nil
}

// New makes the model of an image, or of a pair for task stereo. Variable r2c5 is the pixel of row
// 2 and column 5, counted from 0.
func New(left, right *Image, o Options) (*model.Model, error) {
	if defaults[o.Task].Labels == 0 {
		return nil, fmt.Errorf("found task %q; want one of %s", o.Task, strings.Join(Tasks, ", "))
	}
	switch {
	case (right != nil) != (o.Task == Stereo):
		return nil, fmt.Errorf("task %s has %s", o.Task, map[bool]string{true: "two images, of the left and the right eye; found one", false: "one image; found two"}[right == nil])
	case right != nil && (left.Width != right.Width || left.Height != right.Height):
		return nil, fmt.Errorf("found images of %d by %d and of %d by %d pixels; want two of one size", left.Width, left.Height, right.Width, right.Height)
	}
	if err := o.complete(left); err != nil {
		return nil, err
	}
	names, energy, err := o.data(left, right)
	if err != nil {
		return nil, err
	}
	m := &model.Model{Name: o.Task, Kind: model.Markov}
	for i := range left.Grey {
		v := m.NewVar(pixel(i/left.Width, i%left.Width), names...)
		values := make([]float64, len(names))
		least := math.Inf(1)
		for k := range values {
			values[k] = energy(i, k)
			least = min(least, values[k])
		}
		for k, e := range values { // relative to the best label, which changes no states
			values[k] = math.Exp(-min(e-least, mostEnergy))
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Child: -1, Dist: &model.Table{Values: values}})
	}
	smooth := &model.Pairwise{Metric: model.Linear, Weight: o.Smooth, Cap: o.Truncate}
	if o.Task == Segment {
		smooth = &model.Pairwise{Metric: model.Potts, Weight: o.Smooth}
	}
	for i := range left.Grey {
		for _, j := range []int{i + 1, i + left.Width} {
			if j < len(left.Grey) && (j != i+1 || j%left.Width > 0) {
				m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(i), model.VarID(j)}, Child: -1, Dist: smooth})
			}
		}
	}
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	return m, nil
}

// pixel returns the name of a variable.
func pixel(row, column int) string { return fmt.Sprintf("r%dc%d", row, column) }

// data returns the names of the labels, and the energy of the data term of a pixel and a label.
func (o *Options) data(left, right *Image) (names []string, energy func(i, k int) float64, err error) {
	if o.Task == Stereo {
		for k := range o.Labels {
			names = append(names, disparity+strconv.Itoa(k))
		}
		return names, func(i, k int) float64 {
			if i%left.Width < k {
				return outlier
			}
			return min(square((left.Grey[i]-right.Grey[i-k])/o.Noise)/2, outlier)
		}, nil
	}
	grey := make([]float64, o.Labels)
	for k := range grey {
		grey[k] = 255 * float64(k) / float64(o.Labels-1)
	}
	if o.Task == Segment {
		if grey, err = o.means(left); err != nil {
			return nil, nil, err
		}
	}
	for _, g := range grey {
		names = append(names, strconv.FormatFloat(math.Round(1e4*g)/1e4, 'f', -1, 64))
	}
	return names, func(i, k int) float64 { return square((left.Grey[i]-grey[k])/o.Noise) / 2 }, nil
}

func square(x float64) float64 { return x * x }

// means returns the grey values of segments by k-means from evenly spread quantiles, and sets the
// noise to the deviation from them, unless it is given.
func (o *Options) means(m *Image) ([]float64, error) {
	sorted := slices.Clone(m.Grey)
	slices.Sort(sorted)
	distinct := slices.Compact(slices.Clone(sorted))
	if len(distinct) < o.Labels {
		return nil, fmt.Errorf("the image has %d grey values; want at least as many as its %d segments", len(distinct), o.Labels)
	}
	means := make([]float64, o.Labels)
	for k := range means {
		means[k] = distinct[(2*k+1)*len(distinct)/(2*o.Labels)]
	}
	const rounds = 100 // most rounds; few images take twenty
	spread := 0.0
	for range rounds {
		sum, n := make([]float64, o.Labels), make([]float64, o.Labels)
		spread = 0
		for _, g := range sorted {
			best := 0
			for k := range means {
				if math.Abs(g-means[k]) < math.Abs(g-means[best]) {
					best = k
				}
			}
			sum[best] += g
			n[best]++
			spread += square(g-means[best]) / float64(len(sorted))
		}
		before := slices.Clone(means)
		for k := range means {
			if n[k] > 0 {
				means[k] = sum[k] / n[k]
			}
		}
		if slices.Equal(before, means) {
			break
		}
	}
	if o.Noise == 0 {
		o.Noise = max(1, math.Sqrt(spread))
	}
	return means, nil
}

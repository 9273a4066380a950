package pgmrt

import (
	"errors"
	"math"
	"testing"
)

// TestExpFalling compares exponentials with those of package math.
func TestExpFalling(t *testing.T) {
	r := NewRand(1)
	for i := range 100000 {
		x := -math.Exp(40*r.Float64() - 33)
		if i < 2000 {
			x = -float64(i) / 2
		}
		want := math.Exp(x)
		if got := expFalling(x); x < -708 && got != 0 || x >= -708 && math.Abs(got-want) > 5e-16*want {
			t.Fatalf("exp(%v) is %v; want %v", x, got, want)
		}
	}
	if expFalling(0) != 1 || expFalling(math.Inf(-1)) != 0 {
		t.Errorf("exp(0) is %v, of -Inf %v; want 1, 0", expFalling(0), expFalling(math.Inf(-1)))
	}
}

// TestCloudEnds checks weights, and that an end that fails changes nothing.
func TestCloudEnds(t *testing.T) {
	c := NewCloud(CloudOptions{Particles: 3, Seed: 1}, CloudOptions{Values: 1, Certain: true, Enough: .5})
	slice := func(x, logs, certain [3]float64) error {
		return c.Step(func(c *Cloud, i int) (float64, float64, error) {
			_, values := c.New(i)
			values[0] = x[i]
			return logs[i], certain[i], nil
		}, 2)
	}
	if err := slice([3]float64{1, 2, math.Inf(1)}, [3]float64{0, math.Log(3), -1e300}, [3]float64{}); err != nil {
		t.Fatal(err)
	}
	if mean, _ := c.Moments(0); math.Abs(mean-1.75) > 1e-15 || math.Abs(c.LogP()-(2+math.Log(4./3))) > 1e-15 || math.Abs(c.ESS()-1.6) > 1e-15 {
		t.Errorf("mean %v, ln P %v, ESS %v; want 1.75, 2 + ln 4/3, 1.6", mean, c.LogP(), c.ESS())
	}
	before := AppendCloud(nil, 5, c)
	for _, fails := range []struct {
		x, logs [3]float64
		want    error
	}{
		{[3]float64{1, 2, 3}, [3]float64{-1e300, math.NaN(), math.Inf(-1)}, ErrParticles},
		{[3]float64{1, math.NaN(), 3}, [3]float64{}, ErrState},
		{[3]float64{1, -1e200, 2}, [3]float64{}, ErrState},
		{[3]float64{1, 2, 3}, [3]float64{math.Inf(1)}, ErrState},
	} {
		if err := slice(fails.x, fails.logs, [3]float64{}); !errors.Is(err, fails.want) || string(before) != string(AppendCloud(nil, 5, c)) {
			t.Errorf("values %v, logarithms %v: error %v; want %v and the same particles", fails.x, fails.logs, err, fails.want)
		}
	}
	// A value that is certain has a probability; others a density, which is a probability of 0.
	if err := slice([3]float64{4, 5, 6}, [3]float64{-3, 7, -3}, [3]float64{1, 0, 1}); err != nil {
		t.Fatal(err)
	}
	if _, _, w := c.Particle(1); w != 0 || c.Slices() != 2 {
		t.Errorf("a particle without the certain value has the weight %v after %d slices; want 0 after 2", w, c.Slices())
	}
}

package em

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// chooseStates returns the number of states of the class, from the range of the options, that
// scores rows or sequences best that were not learned from, and a remark on all of them. A single
// sequence is cut into blocks.
func (l *Options) chooseStates(ctx context.Context, job *learner.Job) (best int, remark string, err error) {
	least, most, err := l.rangeOfStates()
	if err != nil {
		return 0, "", err
	}
	rows, err := blocks(job.Train, l.StateFolds)
	if err != nil {
		return 0, "", err
	}
	units, called := rows.Units()
	folds := min(l.StateFolds, units)
	if folds < 2 {
		return 0, "", fmt.Errorf("%d folds of %d %s; want 2 at least", l.StateFolds, units, called)
	}
	var list []string
	top := 0.0
	for k := least; k <= most; k++ {
		mean, err := l.crossValidate(ctx, job, rows, k, folds)
		if err != nil {
			return 0, "", fmt.Errorf("%d states: %w", k, err)
		}
		if best == 0 || mean > top {
			best, top = k, mean
		}
		list = append(list, fmt.Sprintf("%d: %.4f", k, mean))
	}
	return best, fmt.Sprintf("mean log-likelihood of held %s in %d folds, by number of states: %s", called, folds, strings.Join(list, ", ")), nil
}

// rangeOfStates returns the numbers of States, such as 2:6.
func (l *Options) rangeOfStates() (least, most int, err error) {
	from, to, ok := strings.Cut(l.States, ":")
	if ok {
		least, err = strconv.Atoi(from)
	}
	if ok && err == nil {
		most, err = strconv.Atoi(to)
	}
	if !ok || err != nil || least < 1 || most < least || most > model.MaxStates {
		return 0, 0, fmt.Errorf("states %q; want a range of numbers from 1 to %d, such as 2:6", l.States, model.MaxStates)
	}
	return least, most, nil
}

// crossValidate returns the mean score of held rows or sequences with k states.
func (l *Options) crossValidate(ctx context.Context, job *learner.Job, rows *data.Set, k, folds int) (float64, error) {
	one := *l
	one.States, one.Clusters = "", k
	c, err := rate.CrossValidate(ctx, rows, folds, job.Seed, rate.ScorerOptions{}, func(ctx context.Context, train *data.Set) (*model.Model, rate.Measure, error) {
		part := *job
		part.Train, part.Valid = train, nil
		r, err := one.Learn(ctx, &part)
		if err != nil {
			return nil, 0, err
		}
		return r.Models[0], rate.LL, nil
	})
	if err != nil {
		return 0, err
	}
	mean, _ := c.All.Result()
	return mean, nil
}

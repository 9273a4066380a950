// Package learn learns models from data: it lists the learners and runs them.
//
// What the learners share is in packages below it: data (data sets and counts), score (scores of
// structures), learner (the contract), mle (parameters of a given structure) and rate (how well a
// model fits rows). Parts of learners that are no learners are in learn/internal.
package learn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/acbn"
	"github.com/pgmc-go/pgmc/learn/acmn"
	"github.com/pgmc-go/pgmc/learn/acopt"
	"github.com/pgmc-go/pgmc/learn/auto"
	"github.com/pgmc-go/pgmc/learn/average"
	"github.com/pgmc-go/pgmc/learn/boss"
	"github.com/pgmc-go/pgmc/learn/chowliu"
	"github.com/pgmc-go/pgmc/learn/cnet"
	"github.com/pgmc-go/pgmc/learn/depnet"
	"github.com/pgmc-go/pgmc/learn/dn2mn"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/pgmc-go/pgmc/learn/exact"
	"github.com/pgmc-go/pgmc/learn/ges"
	"github.com/pgmc-go/pgmc/learn/gssl"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/idspn"
	"github.com/pgmc-go/pgmc/learn/knownorder"
	"github.com/pgmc-go/pgmc/learn/l1mn"
	"github.com/pgmc-go/pgmc/learn/latent"
	"github.com/pgmc-go/pgmc/learn/lda"
	"github.com/pgmc-go/pgmc/learn/ldfm"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnspn"
	"github.com/pgmc-go/pgmc/learn/mixture"
	"github.com/pgmc-go/pgmc/learn/mnweights"
	"github.com/pgmc-go/pgmc/learn/module"
	"github.com/pgmc-go/pgmc/learn/naivebayes"
	"github.com/pgmc-go/pgmc/learn/pc"
	"github.com/pgmc-go/pgmc/learn/structem"
	"github.com/pgmc-go/pgmc/learn/tan"
	"github.com/pgmc-go/pgmc/learn/treebn"
)

// Learners lists the learners, in the order in which they are shown.
var Learners = []learner.Learner{
	naivebayes.Learner,
	tan.Learner,
	chowliu.Learner,
	knownorder.K2,
	knownorder.Learner,
	auto.Learner,
	hillclimb.Learner,
	exact.Learner,
	boss.Learner,
	ges.Learner,
	pc.Learner,
	average.Learner,
	treebn.Learner,
	module.Learner,
	depnet.Learner,
	dn2mn.Learner,
	mnweights.Learner,
	l1mn.Learner,
	gssl.Learner,
	em.Learner,
	structem.Learner,
	acbn.Learner,
	acmn.Learner,
	acopt.Learner,
	mixture.Learner,
	latent.HCLT,
	latent.LTM,
	cnet.Learner,
	learnspn.Learner,
	idspn.Learner,
	lda.Learner,
	ldfm.Plain,
	ldfm.Stopping,
}

// Check returns an error if a learner does not take the variables of the data of a job, its initial
// model or its target: a *model.Untaken, which names the learners that do.
func Check(l *learner.Learner, job *learner.Job) error {
	if job.Train != nil {
		if err := refuse(l, job.Train.Needs()); err != nil {
			return err
		}
	}
	for _, m := range []*model.Model{job.Init, job.Target} {
		if m == nil {
			continue
		}
		if err := refuse(l, m.Needs()); err != nil {
			return err
		}
	}
	return nil
}

func refuse(l *learner.Learner, needs []model.Need) error {
	takers := make([]model.Taker, len(Learners))
	for i, x := range Learners {
		takers[i] = model.Taker{Name: x.Name, Takes: x.Takes}
	}
	return model.Refuse("learner", l.Name, l.Takes, needs, takers)
}

// Find returns the learner of a name, or of a former name.
func Find(name string) (*learner.Learner, error) {
	i := slices.IndexFunc(Learners, func(l learner.Learner) bool { return l.Name == name || slices.Contains(l.Former, name) })
	if i < 0 {
		var names []string
		for _, l := range Learners {
			names = append(names, l.Name)
		}
		return nil, fmt.Errorf("unknown learner %q; want one of %s", name, strings.Join(names, ", "))
	}
	return &Learners[i], nil
}

package lda

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// parameters holds the posterior means of the parameters given the topics of all words.
type parameters struct {
	share     []float64 // by topic: of the words
	documents []float64 // by document: of the words
	mix       []float64 // by document and topic
	words     [][]float64
}

// parameters returns the parameters, with topics in the order of their shares.
func (s *sampler) parameters() *parameters {
	k := s.topics
	order, sizes := make([]int, k), make([]float64, k)
	for i := range order {
		order[i] = i
	}
	for i, n := range s.inDocument {
		sizes[i%k] += n
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	p := &parameters{}
	for _, i := range order {
		p.share = append(p.share, sizes[i]/s.c.total)
	}
	for d := range s.c.documents {
		in, total := s.inDocument[d*k:][:k], 0.0
		for _, n := range in {
			total += n
		}
		p.documents = append(p.documents, (total+1/float64(s.c.documents))/(s.c.total+1)) // of unseen ones: a word together
		for _, i := range order {
			p.mix = append(p.mix, (in[i]+s.alpha)/(total+float64(k)*s.alpha))
		}
	}
	for j, v := range s.c.words {
		states := len(s.c.vars[v].States)
		var table []float64
		for _, i := range order {
			for w := range states {
				table = append(table, (s.inTopic[j][w*k+i]+s.beta)/(s.size[j][i]+float64(states)*s.beta))
			}
		}
		p.words = append(p.words, table)
	}
	return p
}

// logLikelihood returns the log-likelihood of the words of a corpus given their documents, and of
// the documents.
func (p *parameters) logLikelihood(c *corpus) (words, documents float64) {
	k := len(p.share)
	for _, x := range c.rows {
		sum := 0.0
		for t := range k {
			q := p.mix[x.document*k+t]
			for j, w := range x.words {
				if w != data.Missing {
					q *= p.words[j][t*len(c.vars[c.words[j]].States)+w]
				}
			}
			sum += q
		}
		words += x.weight * pgmrt.Ln(sum)
		documents += x.weight * pgmrt.Ln(p.documents[x.document])
	}
	return words, documents
}

// model returns the network document -> topic -> words.
func (p *parameters) model(c *corpus, skip string) *model.Model {
	m, name := &model.Model{Name: "lda"}, "topic"
	at := make([]model.VarID, len(c.vars))
	for v, x := range c.vars {
		if x.Name != skip {
			at[v] = m.NewVar(x.Name, x.States...).ID
		}
	}
	for taken := true; taken; {
		if _, taken = m.VarByName(name); taken {
			name = "hidden_" + name
		}
	}
	var states []string
	for k := range p.share {
		states = append(states, strconv.Itoa(k+1))
	}
	topic := m.NewVar(name, states...)
	add := func(values []float64, scope ...model.VarID) {
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Table{Values: values}})
	}
	if c.document >= 0 {
		add(p.documents, at[c.document])
		add(p.mix, at[c.document], topic.ID)
	} else {
		add(p.mix, topic.ID)
	}
	for j, v := range c.words {
		add(p.words[j], topic.ID, at[v])
	}
	return m
}

// result makes the model and the report.
func (l *Options) result(job *learner.Job, c *corpus, s *sampler) (*learner.Result, error) {
	p := s.parameters()
	m := p.model(c, l.Count)
	words, documents := p.logLikelihood(c)
	r := &learner.Result{Models: []*model.Model{m}, Report: learner.Report{Score: "loglik", Total: words + documents, Steps: s.steps, Params: c.documents*l.Topics - 1}}
	for _, v := range c.words {
		r.Report.Params += l.Topics * (len(c.vars[v].States) - 1)
	}
	if !l.Fixed {
		r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("pseudo-counts: %.3g of each topic, %.3g of each word", s.alpha, s.beta))
	}
	for t := range l.Topics {
		for j := range c.words {
			r.Report.Remarks = append(r.Report.Remarks, p.topic(c, t, j))
		}
	}
	if job.Valid != nil && job.Valid.Len() > 0 {
		held, err := l.corpus(job.Valid)
		if err != nil {
			return nil, fmt.Errorf("validation data: %w", err)
		}
		words, _ := p.logLikelihood(held)
		r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("perplexity of the validation words given their documents: %.4f", math.Exp(-words/held.total)))
	}
	return r, nil
}

// mostWords is the number of words of a topic in the report.
const mostWords = 6

// topic lists the most probable states of a column of words in a topic.
func (p *parameters) topic(c *corpus, t, j int) string {
	states := c.vars[c.words[j]].States
	row := p.words[j][t*len(states):][:len(states)]
	order := make([]int, len(states))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(row[b], row[a]) })
	var list []string
	for _, w := range order[:min(mostWords, len(order))] {
		list = append(list, fmt.Sprintf("%s %.3f", states[w], row[w]))
	}
	column := ""
	if len(c.words) > 1 {
		column = c.vars[c.words[j]].Name + " "
	}
	return fmt.Sprintf("topic %d, %.1f %%: %s%s", t+1, 100*p.share[t], column, strings.Join(list, ", "))
}

package ep

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// unit is one update of an iteration: of a message or of a site.
type unit struct {
	link *link
	site *site
}

// arranger finds an order of updates in which each finds its inputs: the density of a real variable
// must have arrived before a mixture over it is projected, or a function of it integrated.
type arranger struct {
	b       *builder
	sent    map[*link]bool
	done    map[*site]bool
	carries map[*link][]rule // by real variable of the separator
}

// arrange sets the order of an iteration, or leaves it nil if there is none.
func (b *builder) arrange() {
	a := &arranger{b, map[*link]bool{}, map[*site]bool{}, map[*link][]rule{}}
	var links []*link
	for i := len(b.clusters) - 1; i >= 0; i-- { // from the leaves on
		if l := b.clusters[i].up; l != nil {
			links = append(links, l)
		}
	}
	for i := range b.clusters {
		if l := b.clusters[i].up; l != nil {
			links = append(links, l.back)
		}
	}
	order := []unit{}
	for len(order) < len(links)+len(b.sites) {
		if s := a.nextSite(); s != nil {
			a.done[s] = true
			order = append(order, unit{site: s})
			continue
		}
		l := a.nextLink(links)
		if l == nil {
			return
		}
		a.sent[l] = true
		a.carries[l] = a.carry(l.from, l.reals)
		order = append(order, unit{link: l})
	}
	for _, k := range b.clusters {
		if len(a.densities(k)) < len(k.reals) {
			return
		}
	}
	b.order = order
}

// nextSite returns a site that is not done and has real parents with densities, or nil.
func (a *arranger) nextSite() *site {
	for _, s := range a.b.sites {
		_, parents := a.b.Model.SplitParents(s.f)
		_, parents = a.b.split(parents)
		if !a.done[s] && contains(a.densities(s.in), parents) {
			return s
		}
	}
	return nil
}

// nextLink returns the first message that may be sent and misses the fewest others, or nil.
func (a *arranger) nextLink(links []*link) (best *link) {
	least := 0
	for _, l := range links {
		if a.sent[l] {
			continue
		}
		missing := 0
		for _, in := range l.from.in {
			if in != l.back && !a.sent[in] {
				missing++
			}
		}
		for _, s := range l.from.sites {
			if !a.done[s] {
				missing++
			}
		}
		if (l.weak() || missing > 0) && len(a.densities(l.from)) < len(l.from.reals) {
			continue
		}
		if best == nil || missing < least {
			best, least = l, missing
		}
	}
	return best
}

// rules returns, for real variables of k, the variables with a density that makes theirs known: the
// parents of a CPD, or the parents that a message keeps.
func (a *arranger) rules(k *cluster) map[model.VarID][]model.VarID {
	of := map[model.VarID][]model.VarID{}
	put := func(y model.VarID, given []model.VarID) {
		if old, ok := of[y]; !ok || len(given) < len(old) {
			of[y] = given
		}
	}
	for _, l := range k.in {
		if a.sent[l] {
			for i, y := range l.reals {
				if a.carries[l][i].known {
					put(y, a.carries[l][i].given)
				}
			}
		}
	}
	cpd := func(f *model.Factor) {
		if y := f.ChildVar(); a.b.real(y) {
			_, given := a.b.split(f.Scope[:len(f.Scope)-1])
			put(y, given)
		}
	}
	for _, f := range k.factors {
		if f.Gaussian() != nil {
			cpd(f)
		}
	}
	for _, s := range k.sites {
		if a.done[s] {
			cpd(s.f)
		}
	}
	return of
}

// carry returns the densities that a message from k brings, by real variable of the separator:
// whether its density is known, and given which others of the separator.
func (a *arranger) carry(k *cluster, separator []model.VarID) []rule {
	rules, have := a.rules(k), a.densities(k)
	out := make([]rule, len(separator))
	for i, y := range separator {
		if slices.Contains(have, y) {
			out[i] = rule{known: true}
			continue
		}
		open, done := rules[y], map[model.VarID]bool{y: true}
		_, known := rules[y]
		var given []model.VarID
		for len(open) > 0 && known {
			v := open[0]
			open = open[1:]
			if done[v] {
				continue
			}
			done[v] = true
			if slices.Contains(separator, v) {
				given = append(given, v)
				continue
			}
			var next []model.VarID
			next, known = rules[v]
			open = append(slices.Clone(open), next...)
		}
		out[i] = rule{known, given}
	}
	return out
}

// rule says that the density of a variable is known once the densities of others are.
type rule struct {
	known bool
	given []model.VarID
}

// densities returns the real variables of k with known densities, ascending.
func (a *arranger) densities(k *cluster) (have []model.VarID) {
	rules := a.rules(k)
	for more := true; more; {
		more = false
		for _, y := range k.reals {
			given, ok := rules[y]
			at, found := slices.BinarySearch(have, y)
			if ok && !found && contains(have, given) {
				have, more = slices.Insert(have, at, y), true
			}
		}
	}
	return have
}

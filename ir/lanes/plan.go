package lanes

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// window is how many nodes, in the order of elimination, are arranged together into runs of equal
// kind: more make longer runs, and more numbers that wait at one time.
const window = 1024

// planner turns what was traced into a program.
type planner struct {
	*trace
	uses  []int32 // by node: how often the needed ones read it
	slot  []int32 // by node; -1 where it has none yet
	order []job   // what to run
	out   *Program
	tail  []assemble.Node // copies of answers, at the end
}

// job is a node that is worked out by itself, or an action.
type job struct {
	node  circuit.Node
	terms [][2]circuit.Node // the second -1 where they are single
	kind  int               // see kindOf
}

// The kinds of jobs beside sums: those are the number of terms, negative where they are single.
const (
	kindMax    = 1 << 30
	kindAction = 1<<30 + 1
)

func plan(t *trace) *Program {
	pl := &planner{trace: t, out: &Program{Exp: -1, Marks: -1}}
	pl.count()
	jobs := pl.jobs()
	for len(jobs) > 0 {
		n := min(window, len(jobs))
		pl.arrange(jobs[:n])
		jobs = jobs[n:]
	}
	pl.fix()
	pl.assign()
	pl.write()
	return pl.out
}

// count finds what is needed, and how often.
func (pl *planner) count() {
	pl.uses = make([]int32, pl.c.Len())
	for _, id := range pl.answers() {
		for _, n := range pl.x.Elements(id) {
			pl.uses[n]++
		}
	}
	for n := circuit.Node(pl.c.Len() - 1); n >= 0; n-- {
		switch op := pl.c.Op(n); {
		case op >= circuit.Sum && pl.uses[n] > 0:
			a, b := pl.c.Args(n)
			pl.uses[a]++
			pl.uses[b]++
			pl.out.Ops++
		case op == circuit.Input:
			if l := &pl.leaves[pl.c.Leaf(n)]; l.action != Nothing && (l.count || pl.uses[n] > 0) {
				pl.uses[l.from] += 2 // it has a slot of its own
				pl.uses[n]++
			}
		}
	}
}

// answers are the spans that the caller reads.
func (pl *planner) answers() []ir.SpanID {
	ids := slices.Clone(pl.e.Outs)
	if pl.e.Root != ir.NoSpan && !slices.Contains(ids, pl.e.Root) {
		ids = append(ids, pl.e.Root)
	}
	pl.byPlace(ids)
	return slices.Compact(ids)
}

// jobs are the needed nodes that other nodes do not take in, in the order of construction. A
// product that one sum uses is a term of that, and so are the terms of a sum that one sum uses.
func (pl *planner) jobs() []job {
	inside := make([]bool, pl.c.Len())
	for n := circuit.Node(pl.c.Len() - 1); n >= 0; n-- {
		op := pl.c.Op(n)
		if pl.uses[n] == 0 || op != circuit.Sum && op != circuit.Max {
			continue
		}
		a, b := pl.c.Args(n)
		for _, x := range []circuit.Node{a, b} {
			inside[x] = pl.uses[x] == 1 && (pl.c.Op(x) == op || op == circuit.Sum && pl.c.Op(x) == circuit.Prod)
		}
	}
	var jobs []job
	for n := range circuit.Node(pl.c.Len()) {
		if pl.uses[n] == 0 || inside[n] {
			continue
		}
		switch op := pl.c.Op(n); {
		case op >= circuit.Sum:
			jobs = append(jobs, pl.job(n, inside))
		case op == circuit.Input && pl.leaves[pl.c.Leaf(n)].action != Nothing:
			jobs = append(jobs, job{n, [][2]circuit.Node{{pl.leaves[pl.c.Leaf(n)].from, -1}}, kindAction})
		}
	}
	return jobs
}

// job gives the terms of a node. Where one of them is a product, the others become products with 1.
func (pl *planner) job(n circuit.Node, inside []bool) job {
	j := job{node: n}
	if pl.c.Op(n) == circuit.Prod {
		a, b := pl.c.Args(n)
		j.terms, j.kind = [][2]circuit.Node{{a, b}}, 1
		return j
	}
	products := 0
	a, b := pl.c.Args(n)
	for todo := []circuit.Node{b, a}; len(todo) > 0; { // the left one first
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch a, b := pl.c.Args(x); {
		case !inside[x] || pl.c.Op(x) < circuit.Sum:
			j.terms = append(j.terms, [2]circuit.Node{x, -1})
		case pl.c.Op(x) == circuit.Prod:
			j.terms = append(j.terms, [2]circuit.Node{a, b})
			products++
		default:
			todo = append(todo, b, a)
		}
	}
	switch {
	case pl.c.Op(n) == circuit.Max:
		j.kind = kindMax
	case products == 0:
		j.kind = -len(j.terms)
	default:
		j.kind = len(j.terms)
		for i := range j.terms {
			if j.terms[i][1] < 0 {
				j.terms[i][1] = circuit.One
				pl.uses[circuit.One]++
			}
		}
	}
	return j
}

// each calls f with what a job reads.
func (j *job) each(f func(circuit.Node)) {
	for _, t := range j.terms {
		f(t[0])
		if t[1] >= 0 {
			f(t[1])
		}
	}
}

// arrange appends jobs to the order so that those of a kind come together: always the kind of which
// most are ready, and all of it that is or becomes ready meanwhile. Sums come before maxima, and
// both before actions, so that the kernel is left seldom.
func (pl *planner) arrange(jobs []job) {
	at := make(map[circuit.Node]int, len(jobs))
	for i := range jobs {
		at[jobs[i].node] = i
	}
	waits := make([]int, len(jobs)) // for how many operands
	readers := make([][]int, len(jobs))
	q := queues{ready: map[int][]int{}}
	for i := range jobs {
		jobs[i].each(func(n circuit.Node) {
			if k, ok := at[n]; ok {
				waits[i]++
				readers[k] = append(readers[k], i)
			}
		})
		if waits[i] == 0 {
			q.push(jobs[i].kind, i)
		}
	}
	for kind, ok := q.most(); ok; kind, ok = q.most() {
		for k := 0; k < len(q.ready[kind]); k++ { // grows while it runs
			i := q.ready[kind][k]
			pl.order = append(pl.order, jobs[i])
			for _, r := range readers[i] {
				if waits[r]--; waits[r] == 0 {
					q.push(jobs[r].kind, r)
				}
			}
		}
		q.ready[kind] = q.ready[kind][:0]
	}
}

// queues are jobs that can run, by kind.
type queues struct {
	ready map[int][]int
	kinds []int // in the order of appearance
}

func (q *queues) push(kind, i int) {
	if !slices.Contains(q.kinds, kind) {
		q.kinds = append(q.kinds, kind)
	}
	q.ready[kind] = append(q.ready[kind], i)
}

// most is the kind to run next; not ok where nothing is left.
func (q *queues) most() (kind int, ok bool) {
	for _, k := range q.kinds {
		if len(q.ready[k]) == 0 {
			continue
		}
		if rank := cmp.Compare(rankOf(k), rankOf(kind)); !ok || rank < 0 || rank == 0 && len(q.ready[k]) > len(q.ready[kind]) {
			kind, ok = k, true
		}
	}
	return kind, ok
}

// rankOf says what comes first.
func rankOf(kind int) int { return max(kind, kindMax-1) }

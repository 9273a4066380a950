package lanes

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// window is the number of nodes, in the order of elimination, that are arranged together into runs
// of one kind. A larger window makes longer runs, but more numbers are live at a time.
const window = 1024

// planner turns a trace into a program.
type planner struct {
	*trace
	uses  []int32      // by node: number of uses by needed nodes
	slot  []int32      // by node; -1 if it has none yet
	minus circuit.Node // -1, of a signed circuit
	order []job        // the jobs in the order of running
	terms [][2]int32   // of all jobs: nodes, and when they are written slots; the second is -1 if terms are single
	out   *Program
	tail  []assemble.Node // copies of answers, at the end
}

// job is a node that is computed on its own, or an action.
type job struct {
	node       circuit.Node
	kind       int32 // the number of terms of a sum, negative if they are single; kindMax; or kindAction
	first, end int32 // the terms: planner.terms[first:end]
}

// The kinds of jobs that are not sums.
const (
	kindMax    = 1 << 30
	kindAction = 1<<30 + 1
)

func plan(t *trace) *Program {
	pl := &planner{trace: t, out: &Program{Exp: -1, Marks: -1}}
	if t.c.Signed() {
		pl.minus = t.c.Const(-1)
	}
	t.c.Compact()
	pl.count()
	pl.order = pl.jobs()
	for jobs := range slices.Chunk(pl.order, window) {
		pl.arrange(jobs)
	}
	pl.fix()
	pl.assign()
	pl.write()
	return pl.out
}

// count counts the uses of the nodes that are needed.
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
			if l := &pl.leaves[pl.c.Leaf(n)]; l.action != nothing && (l.count || pl.uses[n] > 0) {
				pl.uses[l.from] += 2 // it has a slot of its own
				pl.uses[n]++
			}
		}
	}
}

// answers returns the spans that the caller reads.
func (pl *planner) answers() []ir.SpanID {
	ids := pl.e.Answers()
	pl.byPlace(ids)
	return slices.Compact(ids)
}

// jobs returns the needed nodes that are not part of another node's job, in the order of
// construction. If a sum is the only user of a product, the product is one of its terms. If it is
// the only user of another sum, the terms of that sum are among its terms. A difference is a sum
// with the product of its second operand and -1.
func (pl *planner) jobs() []job {
	inside := make([]bool, pl.c.Len())
	for n := circuit.Node(pl.c.Len() - 1); n >= 0; n-- {
		op := pl.c.Op(n)
		if pl.uses[n] == 0 || op != circuit.Sum && op != circuit.Max && op != circuit.Sub {
			continue
		}
		a, b := pl.c.Args(n)
		for _, x := range []circuit.Node{a, b} {
			of := pl.c.Op(x)
			inside[x] = pl.uses[x] == 1 && (of == op || op != circuit.Max && (of == circuit.Prod || of == circuit.Sum || of == circuit.Sub))
			if op == circuit.Sub && x == b {
				inside[x] = false // its terms would change their signs
			}
		}
	}
	needed := 0
	for n, uses := range pl.uses {
		if uses > 0 && !inside[n] && pl.c.Op(circuit.Node(n)) >= circuit.Input {
			needed++
		}
	}
	jobs := make([]job, 0, needed) // with the inputs, which are few
	for n := range circuit.Node(pl.c.Len()) {
		if pl.uses[n] == 0 || inside[n] {
			continue
		}
		switch op := pl.c.Op(n); {
		case op == circuit.Sum || op == circuit.Prod || op == circuit.Max || op == circuit.Sub:
			jobs = append(jobs, pl.job(n, inside))
		case op.Unary():
			a, _ := pl.c.Args(n)
			jobs = append(jobs, pl.action(n, a, -1))
		case op > circuit.Max:
			a, b := pl.c.Args(n)
			jobs = append(jobs, pl.action(n, a, b))
		case op == circuit.Input && pl.leaves[pl.c.Leaf(n)].action != nothing:
			jobs = append(jobs, pl.action(n, pl.leaves[pl.c.Leaf(n)].from, -1))
		}
	}
	return jobs
}

// action returns the job of an action with its operands.
func (pl *planner) action(n, a, b circuit.Node) job {
	j := job{node: n, kind: kindAction}
	pl.add(&j, a, b)
	return j
}

// add adds a term to the last job.
func (pl *planner) add(j *job, a, b circuit.Node) {
	if j.first == j.end {
		j.first = int32(len(pl.terms))
	}
	pl.terms = append(pl.terms, [2]int32{int32(a), int32(b)})
	j.end = int32(len(pl.terms))
}

// termsOf returns the terms of a job.
func (pl *planner) termsOf(j *job) [][2]int32 { return pl.terms[j.first:j.end:j.end] }

// job returns the job of a node with its terms. If one of the terms is a product, the others become
// products with 1.
func (pl *planner) job(n circuit.Node, inside []bool) job {
	j := job{node: n}
	if pl.c.Op(n) == circuit.Prod {
		a, b := pl.c.Args(n)
		pl.add(&j, a, b)
		j.kind = 1
		return j
	}
	products := 0
	product := func(a, b circuit.Node) {
		pl.add(&j, a, b)
		products++
	}
	type term struct {
		circuit.Node
		minus bool
	}
	for todo := []term{{n, false}}; len(todo) > 0; { // the left one first
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		a, b := pl.c.Args(x.Node)
		switch op := pl.c.Op(x.Node); {
		case x.minus:
			product(x.Node, pl.minus)
			pl.uses[pl.minus]++
		case x.Node != n && (!inside[x.Node] || op < circuit.Sum):
			pl.add(&j, x.Node, -1)
		case op == circuit.Prod:
			product(a, b)
		case op == circuit.Sub:
			todo = append(todo, term{b, true})
			if a != circuit.Zero {
				todo = append(todo, term{a, false})
			}
		default:
			todo = append(todo, term{b, false}, term{a, false})
		}
	}
	switch {
	case pl.c.Op(n) == circuit.Max:
		j.kind = kindMax
	case products == 0:
		j.kind = j.first - j.end
	default:
		j.kind = j.end - j.first
		terms := pl.termsOf(&j)
		for i := range terms {
			if terms[i][1] < 0 {
				terms[i][1] = int32(circuit.One)
				pl.uses[circuit.One]++
			}
		}
	}
	return j
}

// each calls f for each node that a job reads.
func (pl *planner) each(j *job, f func(circuit.Node)) {
	for _, t := range pl.termsOf(j) {
		f(circuit.Node(t[0]))
		if t[1] >= 0 {
			f(circuit.Node(t[1]))
		}
	}
}

// arrange orders jobs so that jobs of one kind are together. It repeatedly takes the kind with the
// most ready jobs, and runs all of that kind that are ready or become ready meanwhile. Sums come
// before maxima, and both before actions, so that the kernel changes seldom.
func (pl *planner) arrange(jobs []job) {
	order := make([]job, 0, len(jobs))
	at := make(map[circuit.Node]int, len(jobs))
	for i := range jobs {
		at[jobs[i].node] = i
	}
	waits := make([]int, len(jobs)) // the number of operands not yet computed
	readers := make([][]int, len(jobs))
	q := queues{ready: map[int32][]int{}}
	for i := range jobs {
		pl.each(&jobs[i], func(n circuit.Node) {
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
		for k := 0; k < len(q.ready[kind]); k++ { // the list grows while it runs
			i := q.ready[kind][k]
			order = append(order, jobs[i])
			for _, r := range readers[i] {
				if waits[r]--; waits[r] == 0 {
					q.push(jobs[r].kind, r)
				}
			}
		}
		q.ready[kind] = q.ready[kind][:0]
	}
	copy(jobs, order)
}

// queues holds the jobs that are ready, by kind.
type queues struct {
	ready map[int32][]int
	kinds []int32 // in the order of appearance
}

func (q *queues) push(kind int32, i int) {
	if !slices.Contains(q.kinds, kind) {
		q.kinds = append(q.kinds, kind)
	}
	q.ready[kind] = append(q.ready[kind], i)
}

// most returns the kind to run next; ok is false if no job is left.
func (q *queues) most() (kind int32, ok bool) {
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

// rankOf orders kinds: lower ranks run first.
func rankOf(kind int32) int32 { return max(kind, kindMax-1) }

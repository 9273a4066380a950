// Package draws writes rows that are drawn from a model, on all cores. The output does not depend
// on their number.
package draws

import (
	"bytes"
	"iter"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/group"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// Rows is a sequence of rows that ends with the first error.
type Rows = iter.Seq2[[]model.Value, error]

// Source returns the rows of a block: those from a row on, numbered from 0. Several goroutines call
// it. The blocks have as many rows as Write wants, which does not depend on the cores.
type Source func(block, row int) Rows

// Options say what [Write] writes.
type Options struct {
	N      int // rows
	Vars   []data.Var
	Format rowfile.Format
	Cores  int
	Done   *atomic.Int64 // counts rows that were written
}

// Write writes rows to a file. Nothing is written before the first rows are drawn, which show that
// the evidence is possible.
func Write(from Source, out *cli.ResultFile, opt *Options) (err error) {
	w := &writer{opt: opt, from: from, out: out, size: max(leastRows, blockCells/max(1, len(opt.Vars)))}
	defer w.stop()
	for at := 0; at < opt.N && err == nil; at += w.size {
		err = w.start(w.newBlock(at))
	}
	for err == nil && len(w.started) > 0 {
		err = w.finish()
	}
	if err == nil && w.rows != nil {
		err = w.rows.Flush()
	}
	return err
}

// A block has about blockCells values, and at least leastRows rows.
const (
	blockCells = 1 << 16
	leastRows  = 16
)

// writer is the state of a Write.
type writer struct {
	opt  *Options
	from Source
	out  *cli.ResultFile
	size int             // rows of a block
	rows *rowfile.Writer // of Parquet, which takes values in turn; else nil

	started []*block // in the order of their rows
	free    []*block // for further rows
	queue   chan *block
	workers group.Group
}

// block is a part of the rows.
type block struct {
	at, size, rows int       // the first row, how many there will be, and how many there are
	states         []int     // by row and variable
	reals          []float64 // the same
	text           bytes.Buffer
	err            error
	ready          chan struct{}
}

// newBlock returns an empty block, with the memory of a finished one if there is any.
func (w *writer) newBlock(at int) *block {
	k := &block{}
	if n := len(w.free); n > 0 {
		k, w.free = w.free[n-1], w.free[:n-1]
	}
	k.at, k.size, k.rows = at, min(w.size, w.opt.N-at), 0
	k.states, k.reals, k.ready = k.states[:0], k.reals[:0], make(chan struct{})
	k.text.Reset()
	return k
}

// add adds a row, and reports whether the block is full then.
func (k *block) add(row []model.Value) (full bool) {
	for _, x := range row {
		k.states, k.reals = append(k.states, x.State), append(k.reals, x.Real)
	}
	k.rows++
	return k.rows == k.size
}

// start lets a goroutine draw the rows of a block and write them as text. If
// enough blocks are on their way, it finishes the first before.
func (w *writer) start(k *block) error {
	if w.opt.Cores < 2 {
		w.started = append(w.started, k)
		w.work(k)
		return w.finish()
	}
	if w.queue == nil {
		queue := make(chan *block, 3*w.opt.Cores)
		w.queue = queue
		for range w.opt.Cores {
			w.workers.Go(func() {
				for k := range queue {
					w.work(k)
				}
			})
		}
	}
	if len(w.started) == cap(w.queue) {
		if err := w.finish(); err != nil {
			return err
		}
	}
	w.started = append(w.started, k)
	w.queue <- k
	return nil
}

// stop ends the goroutines.
func (w *writer) stop() {
	if w.queue != nil {
		close(w.queue)
		w.workers.Wait()
	}
}

// work draws the rows of a block and writes them as text.
func (w *writer) work(k *block) {
	defer close(k.ready)
	for row, err := range w.from(k.at/w.size, k.at) {
		if k.err = err; err != nil || k.add(row) {
			break
		}
	}
	if k.err == nil && !w.out.Parquet() {
		k.err = w.format(k)
	}
}

// format writes the rows of a block as text.
func (w *writer) format(k *block) error {
	to, err := rowfile.NewWriter(&k.text, w.opt.Format, w.opt.Vars)
	if err == nil && w.opt.Format == rowfile.CSV {
		var columns []data.Output
		columns, err = rowfile.Outputs(w.opt.Vars)
		to = rowfile.NewSinkWriter(rowfile.NewCSV(&k.text, ',', k.at == 0, columns), w.opt.Vars)
	}
	if err != nil {
		return err
	}
	if err := w.write(k, to); err != nil {
		return err
	}
	return to.Flush()
}

// write writes the rows of a block.
func (w *writer) write(k *block, to *rowfile.Writer) error {
	n := len(w.opt.Vars)
	for i := range k.rows {
		if err := to.Write(k.states[i*n:(i+1)*n], k.reals[i*n:(i+1)*n], 1); err != nil {
			return err
		}
	}
	return nil
}

// finish waits for the first of the blocks on their way, and writes it to the file.
func (w *writer) finish() error {
	k := w.started[0]
	w.started = w.started[1:]
	<-k.ready
	if k.err != nil {
		return k.err
	}
	err := error(nil)
	switch {
	case !w.out.Parquet():
		_, err = w.out.Write(k.text.Bytes())
	case w.rows == nil:
		if w.rows, err = w.out.Rows(w.opt.Format, w.opt.Vars); err != nil {
			return err
		}
		fallthrough
	default:
		err = w.write(k, w.rows)
	}
	w.opt.Done.Add(int64(k.rows))
	w.free = append(w.free, k)
	return err
}

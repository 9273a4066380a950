package rowfile

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/group"
)

// BlockOptions say what [Binding.EachBlock] does with each block.
type BlockOptions struct {
	Cores int  // the number of goroutines that decode and work; at least 1
	Cells bool // keep the cells of each row
	// Work is called once for each block, for several blocks at the same time, with the number of
	// the goroutine from 0. Nil: nothing.
	Work func(core int, b *Block) error
	// Then is called once for each block after its Work, in the order of the file, by the
	// goroutine that called EachBlock. The block is valid until it returns.
	Then func(b *Block) error
}

// EachBlock reads the rows that are left as [Binding.Each] does, in blocks. Where blocks begin and
// end depends on the file only. Unless [ReadOptions].Bad gets them, rows that cannot be read are
// reported together, the first few of them, and no row after the first of them is part of a block
// that Then gets. EachBlock ends with the first error of Work or Then in the order of the file, and
// with ctx.
func (b *Binding) EachBlock(ctx context.Context, opt BlockOptions) error {
	e := &eachBlock{b: b, opt: &opt, source: b.newSourceBlocks(&opt)}
	defer e.stop()
	if e.source != nil {
		defer e.source.close()
	}
	var list diag.List
	for more := true; more || len(e.started) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if more && len(e.started) < max(1, 3*opt.Cores-2) {
			k := e.take()
			e.read(k)
			more = k.end == nil
			e.start(k)
			continue
		}
		if err := e.finish(&list); err != nil {
			return err
		}
		if list.Full() {
			break
		}
	}
	return list.Err()
}

// eachBlock is the state of an EachBlock.
type eachBlock struct {
	b       *Binding
	opt     *BlockOptions
	source  *sourceBlocks // nil unless a Source has the rows
	next    *Reader       // of the piece that follows, if it is taken
	started []*Block      // in the order of the file
	free    []*Block      // for further rows
	by      []*Binding    // by core
	queue   chan *Block
	workers group.Group
}

// take returns an empty block.
func (e *eachBlock) take() *Block {
	n := len(e.free)
	if n == 0 {
		return newBlock(e.b, e.opt.Cells)
	}
	k := e.free[n-1]
	e.free = e.free[:n-1]
	k.clear()
	return k
}

// read takes the next piece of the file for a block, or fills it with rows up to the next piece.
func (e *eachBlock) read(k *Block) {
	if e.source != nil {
		e.source.read(k)
		return
	}
	if e.next == nil {
		e.next = e.b.r.piece()
	}
	most := diag.MaxShown
	if e.b.r.opt.Bad != nil {
		most = blockRows
	}
	for e.next == nil && k.end == nil && k.Rows < blockRows && len(k.bad) < most {
		k.end = e.b.fill(k, 1)
		e.next = e.b.r.piece()
	}
	if k.Rows == 0 && len(k.bad) == 0 {
		k.piece, e.next = e.next, nil
	}
}

// start lets a core decode a block and work on it, or does it if there is only one.
func (e *eachBlock) start(k *Block) {
	e.started = append(e.started, k)
	if e.by == nil {
		queue := make(chan *Block, 3*e.opt.Cores)
		e.queue = queue
		for core := range e.opt.Cores {
			e.by = append(e.by, e.b.clone())
			if e.opt.Cores > 1 {
				e.workers.Go(func() {
					for k := range queue {
						e.work(core, k)
					}
				})
			}
		}
	}
	if e.opt.Cores > 1 {
		e.queue <- k
	} else {
		e.work(0, k)
	}
}

// work decodes a block and calls Work.
func (e *eachBlock) work(core int, k *Block) {
	ready := false
	defer func() { k.done <- ready }()
	if k.piece != nil {
		b := e.by[core]
		b.r = k.piece
		lines := linesOf(k.piece.rows)
		for err := error(nil); err == nil; {
			if lines != nil && (len(k.bad) == 0 || b.r.opt.Bad != nil) {
				b.decode(lines, k)
			}
			if err = b.fill(k, 1); err != io.EOF {
				k.end = err
			}
		}
	}
	k.resize(k.Rows)
	if e.opt.Work != nil && k.Rows > 0 {
		k.err = e.opt.Work(core, k)
	}
	k.room, ready = k.Rows, true
}

// finish waits for the first block that was started and calls Then. It adds the errors in rows to
// list, and returns another error.
func (e *eachBlock) finish(list *diag.List) error {
	k := e.started[0]
	if !<-k.done {
		e.stop() // panics
	}
	e.started = slices.Delete(e.started, 0, 1)
	if k.Rows > 0 && !list.HasErrors() {
		if k.err != nil {
			return k.err
		}
		if err := e.opt.Then(k); err != nil {
			return err
		}
	}
	for _, bad := range k.bad {
		if e.b.r.Skip(bad) {
			continue
		}
		if list.Add(bad.Diagnostic); list.Full() {
			return nil
		}
	}
	e.free = append(e.free, k)
	if k.end != io.EOF {
		return k.end
	}
	return nil
}

// stop ends the goroutines. It panics if one of them did.
func (e *eachBlock) stop() {
	if e.queue != nil {
		close(e.queue)
		for range e.queue { // nobody waits for these
		}
		e.queue = nil
	}
	e.workers.Wait()
}

// clone returns a binding for another goroutine.
func (b *Binding) clone() *Binding {
	c := *b
	c.dicts, c.Values, c.states = slices.Clone(b.dicts), slices.Clone(b.Values), nil
	return &c
}

// fill adds rows to a block, at most most of them. After a row that cannot be read and is not left
// out, it looks only for others. The error is the one that ends the reading.
func (b *Binding) fill(k *Block, most int) error {
	if b.states == nil {
		b.states = make([]int, len(b.Column))
	}
	for range most {
		rec, err := b.r.Next()
		if err == nil {
			err = b.States(rec, b.states)
		}
		var bad RowError
		switch {
		case err == nil && (len(k.bad) == 0 || b.r.opt.Bad != nil):
			k.add(b, rec, b.states)
		case err == nil:
		case errors.As(err, &bad):
			k.bad = append(k.bad, bad)
		default:
			return err
		}
	}
	return nil
}

package lanes

import (
	"cmp"
	"slices"
)

// freeSlots hands out runs of slots, the lowest that fit, so that the slots that are in use stay
// together.
type freeSlots struct {
	runs []run // in order, none next to another
	end  int   // the slots from here on have never been used
}

// run is a run of slots.
type run struct{ first, len int }

// take returns the first of n slots.
func (f *freeSlots) take(n int) int {
	for i := range f.runs {
		if r := &f.runs[i]; r.len >= n {
			first := r.first
			r.first, r.len = r.first+n, r.len-n
			if r.len == 0 {
				f.runs = slices.Delete(f.runs, i, i+1)
			}
			return first
		}
	}
	first := f.end
	if k := len(f.runs) - 1; k >= 0 && f.runs[k].first+f.runs[k].len == f.end {
		first = f.runs[k].first
		f.runs = f.runs[:k]
	}
	f.end = first + n
	return first
}

// give makes n slots free.
func (f *freeSlots) give(first, n int) {
	i, _ := slices.BinarySearchFunc(f.runs, first, func(r run, at int) int { return cmp.Compare(r.first, at) })
	f.runs = slices.Insert(f.runs, i, run{first, n})
	if i+1 < len(f.runs) && first+n == f.runs[i+1].first {
		f.runs[i].len += f.runs[i+1].len
		f.runs = slices.Delete(f.runs, i+1, i+2)
	}
	if i > 0 && f.runs[i-1].first+f.runs[i-1].len == first {
		f.runs[i-1].len += f.runs[i].len
		f.runs = slices.Delete(f.runs, i, i+1)
	}
}

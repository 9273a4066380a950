// Package heap is a priority queue of values that know which of two comes first. It is
// container/heap with types, for the best-first searches of the compiler, and no more than they
// need.
package heap

import "container/heap"

// Ordered is a value that may come before another one. No two values of a heap may each come before
// the other.
type Ordered[T any] interface {
	Before(other T) bool
}

// Heap holds values of which the first one comes before all others. The zero value is empty.
type Heap[T Ordered[T]] []T

// Push adds x.
func (h *Heap[T]) Push(x T) { heap.Push((*list[T])(h), x) }

// Pop removes the first value and returns it. The heap must not be empty.
func (h *Heap[T]) Pop() T { return heap.Pop((*list[T])(h)).(T) }

// list implements heap.Interface.
type list[T Ordered[T]] []T

// Len returns the number of values.
func (l list[T]) Len() int { return len(l) }

// Less reports whether value i comes before value j.
func (l list[T]) Less(i, j int) bool { return l[i].Before(l[j]) }

// Swap exchanges two values.
func (l list[T]) Swap(i, j int) { l[i], l[j] = l[j], l[i] }

// Push adds a value at the end.
func (l *list[T]) Push(x any) { *l = append(*l, x.(T)) }

// Pop removes the value at the end.
func (l *list[T]) Pop() any {
	last := len(*l) - 1
	x := (*l)[last]
	var none T
	(*l)[last], *l = none, (*l)[:last]
	return x
}

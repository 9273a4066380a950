// Package skeleton reads the structure of a network from one line of text, such as "A->B<-C; A: yes
// no", and makes a network of it with uniform tables.
//
// Items are separated by semicolons. An item is a chain of names with arrows in either direction, a
// single name, or a name, a colon and the names of its states. A name with blanks or signs is in
// double quotes, as in Go. Variables are in the order in which the text has them. The notation is
// pyAgrum's of fastBN, with the states as an item of their own.
package skeleton

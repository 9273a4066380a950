// Package bridge joins an engine to what asks it: to the worker of a page if it is built for the
// browser, and otherwise to lines on standard input and output.
package bridge

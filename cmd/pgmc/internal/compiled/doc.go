// Package compiled answers the questions of package rows by compiled packages.
//
// An [Engine] is connected with a program of package program, which calls methods of the package's
// engine by their names. Evidence and answers are in the package's JSON, whose numbers are the
// shortest decimals that read back as the same float64. The program does not depend on the model.
package compiled

// Package results has the paper's experiments as data: what is run, the files
// that runs leave, and the tables made of those files.
//
// An [Experiment] is a command of kd, and a [Suite] those of one task with the
// paper's tables. A [Plan] says which runs are still to be done and in which
// order; it runs them through a function that it is given, so that this package
// knows nothing of how a model is trained. Each run leaves a [Record], one JSON
// file. A [Table] is made of records alone: what has no record was not run.
package results

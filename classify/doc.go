// Package classify predicts the label of a text with a trained text
// classifier, and reads what such classifiers are trained on. It does not need
// GoMLX.
//
// # Basics
//
//	m, err := classify.Open("news.kd")
//	defer m.Close()
//	p := m.Predictor()                        // one for each goroutine
//	best, err := p.Predict("Stocks fell.", 1) // the likeliest label
//
// A classifier is one code file: the table of its words, and three further
// tensors that [Classifier.AddTo] writes. [Tokenizer] splits a text into words; with
// v the mean of the embeddings of those words that the table has, the scores are
// W·v + b, and their softmax the probabilities. Other words are passed over; a
// text without a known word has the scores b.
//
// [OpenExamples] reads labelled texts: the CSV data sets of the paper, text
// with a tab and a label, and fastText's format, each of them gzipped or not.
// [Counts] turns texts into a [Vocabulary]. [Model.Evaluate] measures a
// classifier over labelled texts.
//
// # Caveats
//
// A Model is immutable and safe for concurrent use, Close included. A
// Predictor, a Tokenizer, a Reader and Counts belong to one goroutine at a
// time. A Predictor keeps what it computed for the words it met last, in about
// 2 MB; its answers do not depend on what it met.
//
// Errors about the contents of a file wrap [ErrFormat] or [ErrNoClassifier]
// and name the file, the line, what is wrong and what to do.
package classify

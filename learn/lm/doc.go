// Package lm trains the paper's language model: two LSTM layers between an
// embedding and a full softmax, on a corpus of one sentence a line. The
// embedding is any layer of package learn. The trained model is one code file
// of the words' embeddings, with the LSTM and the softmax as further tensors.
//
// # Basics
//
//	c, err := lm.Read("ptb")                       // *train.txt, *valid.txt, *test.txt
//	size, err := lm.SizeOf("small", lm.Coded)      // the paper's size and schedule
//	words := learn.NewKD(len(c.Words), size.Dim).CodeDim(300)
//	r, err := lm.Train(ctx, c, words, lm.Options{
//		Backend: backend, Size: size, Optimizer: learn.Mixed(1, size.Clip),
//	})
//	m, err := r.Model()                            // for codefile.WriteFile
//
// [Open] reads the file: [Model.Perplexity] measures a text, and
// [Model.Continue] goes on with one. kd train lm does all this, and docs/learn.md
// says what its settings are.
//
// Letters are those of package learn, and B rows that the corpus is cut into,
// T steps of a batch; d is also the width of the LSTM.
package lm

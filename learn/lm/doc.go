// Package lm trains the paper's language model: two LSTM layers between an
// embedding and a full softmax, on a corpus of one sentence a line. The
// embedding is any layer of package learn. The trained model is one code file
// of the words' embeddings, with the LSTM and the softmax as further tensors.
//
// Letters as in package learn; further: B rows that the corpus is cut into,
// T steps of a batch, d also the width of the LSTM.
package lm

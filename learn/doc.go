// Package learn learns K-way D-dimensional codes end to end, inside any GoMLX
// model: a layer that takes the place of an ordinary embedding, trained by the
// task's own gradient, and exported to a code file when it is done. The paper is
// https://arxiv.org/abs/1806.09464.
//
//	layer := learn.NewKD(N, d).Ways(32).CodeLength(32)
//	...
//	v := learn.Embed(layer, scope.In("words"), ids) // [batch, time] → [batch, time, d]
//	...
//	m, err := layer.Export(store.Scope("/words"))   // after training
//	err = codefile.WriteFile("words.kd", m)
//
// # Letters
//
// They are the paper's, here and in all comments of the package:
//
//	N   symbols
//	K   ways: the values a digit can take
//	D   code length: digits a symbol has
//	d   width of an embedding
//	d'  width of a code embedding
//	h   width of the LSTM of that composition
//	U   distinct symbols of a batch
//	π   code logits [N, D, K]
//	ô   the relaxed one-hot codes [U, D, K], o the one-hot ones
//	W   code embeddings [D, K, d']
//	τ   temperature
//
// # Layers
//
// [KD] is the paper's layer, [DPQ] the later differentiable product
// quantization. [Full], [LowRank] and [ScalarQuantized] are what they are
// compared with; so are a KD layer with fixed codes ([KD.Codes]: [RandomCodes],
// [CharacterCodes]) and a [Stored] one, whose code embeddings are given as well:
// product quantization ([NewProduct]), or a code file. All are an [Embedding].
// Packages text, graph and lm train the paper's models on any of them.
//
// # Cost
//
// A step reads and writes only the rows of the batch's symbols, whatever N is:
// [Optimizer] takes the gradient with respect to the gathered rows and updates
// those. A GoMLX optimizer works as well, at a cost that grows with N. Each
// distinct symbol of a batch is composed once. [Embed] finds the distinct
// symbols in the graph; [Occurrences] finds them on the host, which also
// composes no more than there are.
//
// # Caveats
//
// Functions that build graphs panic on wrong use, as GoMLX's do: GoMLX's
// executors turn that into errors. All else returns errors.
package learn

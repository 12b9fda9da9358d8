// Package kdcode serves embeddings from tables of K-way D-dimensional codes.
//
// An ordinary embedding table stores N·d floats. A code table stores, for each
// of N symbols, D digits out of K, and composes a symbol's vector from the
// code embeddings that its digits choose: 5 to 50 times smaller, and looked up
// in well under a microsecond. The paper that comments speak of is Chen, Min
// & Sun, "Learning K-way D-dimensional Discrete Codes for Compact Embedding
// Representations", ICML 2018, https://arxiv.org/abs/1806.09464.
//
// # Basics
//
//	t, err := kdcode.Open("glove.kd")  // maps the file: no work in the size of the vocabulary
//	defer t.Close()
//	v := make([]float32, t.Dim())
//	id, ok := t.ID("cat")              // symbol → id
//	err = t.Lookup(v, id)              // id → vector, without allocating
//
// Tables come from kd compress and package quantize, which give codes to
// vectors, and from kd train and package learn, which learn them with a model.
// Package codefile writes them, and docs/format.md specifies them.
//
// # Caveats
//
// A Table is immutable and safe for concurrent use. Close may be called at any
// time: it waits for calls under way, and later ones return ErrClosed.
//
// Slices and strings handed out are copies: they stay valid after Close.
//
// Opening checks the header and that the file has the size it should have. It
// does not read the codes: damage there is found by Verify, by kd check, or,
// where a digit is K or more, by the lookup that meets it, as ErrDamaged.
//
// Replace a file by renaming a new one over it, as package codefile and the kd
// command do. Truncating a file in place while a Table has it mapped kills the
// process, as it does with any memory map; Load has no such hazard.
package kdcode

// Package codefile writes, reads and checks code files: tables of N symbols
// stored as K-way D-dimensional codes with the code embeddings and the
// composition that turn a code back into a vector.
//
// A code file is a valid safetensors file; docs/format.md specifies it to the
// byte. Producers (quantize, learn) fill a Model and call WriteFile. Consumers
// use package kdcode, which is built on Reader.
//
// # Letters
//
// The letters of the paper, each with its name in the file:
//
//	N   symbols
//	K   values that a digit can take ("ways")
//	D   digits of a code ("code_length")
//	d   width of an embedding ("dim")
//	d'  width of a code embedding ("code_dim")
//	h   width of an LSTM composition's state
//
// # Caveats
//
// A Reader aliases the bytes it is given and does not copy them: codes and
// symbols it hands out are valid as long as those bytes are. Opening checks
// the header, its checksum, and that every tensor lies inside the file; it
// does not read the tensors. Reader.Verify reads everything.
package codefile

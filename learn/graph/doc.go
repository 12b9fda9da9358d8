// Package graph classifies the nodes of a graph, by Kipf & Welling's graph
// convolutional network of two layers:
//
//	Z = softmax(Â·ReLU(Â·X·W0)·W1)
//
// The symbols of a graph are its features: W0 [N, d] is any layer of package
// learn. The trained network is one code file.
//
// # Basics
//
// [Planetoid] reads Cora, Citeseer and PubMed as they are distributed, with the
// standard split. [ReadText] reads anybody's graph from four plain text files,
// and [Dataset.WriteText] writes them. [Dataset.NormalizedAdjacency] and
// [Sparse.NormalizeRows] are Â and X.
//
// [Train] trains a network, with [NewKD] or any other layer as W0, and
// Result.Model is what to write. [Open] opens the file, and evaluates without
// GoMLX's graphs.
//
// # Text
//
// A graph in text is four files in a folder, or four that begin with the same
// words and a dot, such as pets.edges; each may be gzipped, with .gz after its
// name. Fields are separated by spaces or tabs. Blank lines are passed over, and
// those that begin with #. Names are any strings without spaces and tabs.
//
//	features  node feature… or feature:value…    every node once; it may have none
//	edges     node node                          in either direction, or both
//	labels    node label                         of the nodes whose class is known
//	split     node train|valid|test              the others only pass messages on
//
// A feature without a value has the value 1. The last colon of a feature is
// where its value begins: a name with a colon always needs a value. A value of 0
// makes a feature known without giving it to the node. Nodes are numbered in the
// order of features, features and classes as they first appear.
//
// A node of the split must have a label, and every label must occur among the
// nodes to train on: nothing could be learned of it.
//
// # Caveats
//
// Edges have no direction and no weight. Those that stand twice count once, and
// those from a node to itself are passed over: the network adds one to every
// node anyway. Errors about the contents of a file wrap [ErrFormat] and name the
// file, the line or offset, what is wrong and what to do.
package graph

#!/usr/bin/env python3
"""Writes two made-up graphs beside it in Planetoid's files, and what Kipf &
Welling's loader makes of them. Needs numpy and scipy; the tests do not.

tiny is like Citeseer: float32 features that are 0 or 1, test nodes without a
line in test.index, an edge that stands twice, and one from a node to itself.
real is like PubMed: float64 features with values.
"""
import collections
import json
import os
import sys

import numpy as np
import scipy.sparse as sp

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "internal", "pickle", "testdata"))
from golden import python2  # noqa: E402


def make(name, seed, nodes, known, train, classes, features, left_out, real):
    rng = np.random.RandomState(seed)
    label = np.concatenate([np.arange(train) % classes, rng.randint(classes, size=nodes - train)])
    dense = (rng.rand(nodes, features) < 0.1 + 0.4 * (np.arange(features)[None] % classes == label[:, None])).astype("f8")
    dense[known - 1] = 0  # a node without features
    dense[:, features - 1] = 0  # a feature without nodes
    if real:
        dense *= np.round(rng.rand(nodes, features), 3)
    onehot = np.eye(classes, dtype="i4")[label]
    test = np.setdiff1d(np.arange(known, nodes), left_out)
    rng.shuffle(test)
    graph = collections.defaultdict(list, {i: [] for i in range(nodes)})
    for a in range(nodes):
        b = int(rng.choice(np.flatnonzero(label == label[a]))) if rng.rand() < 0.8 else rng.randint(nodes)
        graph[a].append(int(b))
        graph[int(b)].append(a)
    graph[1] += [2, 2, 1]
    for i in left_out:  # isolated
        graph[i] = []
        for list_ in graph.values():
            while i in list_:
                list_.remove(i)
    csr = sp.csr_matrix(dense.astype("f8" if real else "f4"))
    parts = {
        "x": csr[:train], "y": onehot[:train], "allx": csr[:known], "ally": onehot[:known],
        "tx": csr[test], "ty": onehot[test], "graph": graph,
    }
    for kind, value in parts.items():
        with open(os.path.join(HERE, f"ind.{name}.{kind}"), "wb") as f:
            f.write(python2(value, 2))
    with open(os.path.join(HERE, f"ind.{name}.test.index"), "w") as f:
        f.writelines(f"{i}\n" for i in test)
    with open(os.path.join(HERE, f"{name}.json"), "w") as f:
        json.dump(load(parts, test.tolist()), f)
        f.write("\n")


def load(p, reorder):
    """Kipf & Welling's load_data and preprocessing, but for edges from a node
    to itself, which are left out here."""
    ordered = np.sort(reorder)
    full = range(min(reorder), max(reorder) + 1)
    tx = sp.lil_matrix((len(full), p["x"].shape[1]))
    tx[ordered - min(ordered), :] = p["tx"]
    ty = np.zeros((len(full), p["y"].shape[1]))
    ty[ordered - min(ordered), :] = p["ty"]
    features = sp.vstack((p["allx"], tx)).tolil()
    features[reorder, :] = features[ordered, :]
    labels = np.vstack((p["ally"], ty))
    labels[reorder, :] = labels[ordered, :]
    n = len(labels)
    adjacency = sp.lil_matrix((n, n))
    for a, list_ in p["graph"].items():
        for b in list_:
            if a != b:
                adjacency[a, b] = adjacency[b, a] = 1
    upper = sp.triu(adjacency).tocoo()
    tilde = adjacency + sp.eye(n)
    root = sp.diags(np.power(np.asarray(tilde.sum(1)).ravel(), -0.5))
    hat = tilde.dot(root).transpose().dot(root)
    sums = np.asarray(features.sum(1)).ravel()
    normal = sp.diags(np.divide(1.0, sums, out=np.zeros(n), where=sums != 0)).dot(features)
    train = len(p["y"])
    return {
        "features": features.toarray().tolist(),
        "normal": np.round(normal.toarray(), 9).tolist(),
        "labels": [int(np.argmax(l)) if l.any() else -1 for l in labels],
        "edges": sorted([int(a), int(b)] for a, b in zip(upper.row, upper.col)),
        "adjacency": np.round(hat.toarray(), 9).tolist(),
        "train": list(range(train)),
        "valid": list(range(train, min(train + 500, p["allx"].shape[0]))),
        "test": [int(i) for i in ordered],
    }


make("tiny", 1, nodes=30, known=20, train=6, classes=3, features=12, left_out=[23, 27], real=False)
make("real", 2, nodes=16, known=10, train=4, classes=2, features=8, left_out=[], real=True)

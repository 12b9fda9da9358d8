"""Computes testdata/lstm.json: vectors of LSTM compositions, in plain Python
floats straight from the paper's appendix and from the authors' form, sharing
no code with kdcode. Run: python3 testdata/lstm.py > testdata/lstm.json
"""
import json, math, random

random.seed(7)
sig = lambda x: 1 / (1 + math.exp(-x))
mat = lambda n, m: [[round(random.gauss(0, .6), 4) for _ in range(m)] for _ in range(n)]
vec = lambda n: [round(random.gauss(0, .6), 4) for _ in range(n)]
mul = lambda v, m: [sum(v[i] * m[i][o] for i in range(len(v))) for o in range(len(m[0]))]
add = lambda *vs: [sum(x) for x in zip(*vs)]


def case(name, K, D, code_dim, h, d, appendix):
    W = [mat(K, code_dim) for _ in range(D)]
    # U_t, U_i, U_o, U_m: the appendix prints U_t in the output gate, a misprint.
    U, b = [mat(h, h) for _ in range(4)], [vec(h) for _ in range(4)]
    V = None if appendix else [mat(code_dim, h) for _ in range(4)]
    state = None if appendix else [vec(h), vec(h)]
    H = mat(d, h)
    codes = [[random.randrange(K) for _ in range(D)] for _ in range(5)]
    vectors = []
    for c in codes:
        hj, mj = ([0.] * h, [0.] * h) if appendix else state
        hs = []
        for j in range(D):
            x = W[j][c[j]]
            xs = [x] * 4 if appendix else [mul(x, V[g]) for g in range(4)]
            t, i, o, m = (add(xs[g], mul(hj, U[g]), b[g]) for g in range(4))
            mj = [sig(t[u]) * mj[u] + sig(i[u]) * math.tanh(m[u]) for u in range(h)]
            hj = [sig(o[u]) * math.tanh(mj[u]) for u in range(h)]
            hs.append(hj)
        # The appendix sums the outputs; the authors' code takes their mean.
        total = [x / (1 if appendix else D) for x in add(*hs)]
        vectors.append([sum(H[r][u] * total[u] for u in range(h)) for r in range(d)])
    return dict(name=name, ways=K, code_length=D, code_dim=code_dim, hidden=h, dim=d, mean=not appendix,
                W=W, U=U, b=b, V=V, state=state, H=H, codes=codes, vectors=vectors)


print(json.dumps([case("appendix", 6, 4, 5, 5, 7, True), case("authors", 3, 5, 4, 6, 5, False)]))

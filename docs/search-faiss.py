"""kd's search beside faiss's exhaustive product quantizer, on one thread, in turns.

    /usr/bin/python3 docs/search-faiss.py KD FILE.kd TABLE.npy [--metric cosine] [--rounds 5] [--queries 1000]

KD is the kd command, FILE.kd was made of TABLE.npy. Debian's python3-faiss runs it. Codes of both take 160 bits: 20
digits of 8 bits for faiss. For cosine faiss gets vectors of length one. Prints a JSON object a round, then medians.
"""
import argparse, json, os, statistics, subprocess, time
os.environ["OPENBLAS_NUM_THREADS"] = "1"; os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
import faiss, numpy as np

p = argparse.ArgumentParser()
p.add_argument("kd"); p.add_argument("file"); p.add_argument("table")
p.add_argument("--metric", default="cosine", choices=["cosine", "euclidean"])
p.add_argument("--rounds", type=int, default=5); p.add_argument("--queries", type=int, default=1000)
p.add_argument("-k", type=int, default=10); p.add_argument("--train", type=int, default=50000)
a = p.parse_args()
faiss.omp_set_num_threads(1)
x = np.load(a.table)
if a.metric == "cosine":
    x = x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-20)
rng = np.random.default_rng(1)
index = faiss.IndexPQ(x.shape[1], 20, 8)
index.train(x[rng.choice(len(x), min(a.train, len(x)), replace=False)]); index.add(x)
ids = rng.choice(len(x), a.queries)
q = x[ids]

def without_self(found):
    return [[i for i in row if i != self][:a.k] for row, self in zip(found, ids)]

flat = faiss.IndexFlatL2(x.shape[1]); flat.add(x)
truth = without_self(flat.search(q, a.k + 1)[1])
found = without_self(index.search(q, a.k + 1)[1])
recall = sum(len(set(f) & set(t)) for f, t in zip(found, truth)) / sum(map(len, truth))

def slices(search, size, times):
    """Queries a second of short runs: the median and the fastest."""
    speeds = []
    for i in range(times):
        part = q[i * size % (len(q) - size):][:size]
        t0 = time.perf_counter(); search(part); speeds.append(size / (time.perf_counter() - t0))
    return statistics.median(speeds), max(speeds)

def one_by_one(part):
    for v in part:
        index.search(v[None], a.k + 1)

rounds = []
for _ in range(a.rounds):
    # Short runs, so that other programs on a busy machine leave some of them alone. Batches are as large as those of kd.
    single, single_fastest = slices(one_by_one, 6, 60)
    batch, batch_fastest = slices(lambda part: index.search(part, a.k + 1), 32, 30)
    kd = json.loads(subprocess.run([a.kd, "bench", "search", a.file, "--original", a.table, "--queries", str(a.queries), "-k", str(a.k),
        "--metric", a.metric, "--json"], check=True, capture_output=True).stdout)
    r = dict(faiss=single, faiss_fastest=single_fastest, faiss_batch=batch, faiss_batch_fastest=batch_fastest,
        kd=kd["queries_per_second"], kd_fastest=kd["queries_per_second_fastest"],
        kd_batch=kd["batch_queries_per_second"], kd_batch_fastest=kd["batch_queries_per_second_fastest"])
    for k in "", "_fastest", "_batch", "_batch_fastest":
        r["ratio" + k] = r["kd" + k] / r["faiss" + k]
    rounds.append(r)
    print(json.dumps({k: round(v, 2) for k, v in r.items()}), flush=True)
print(json.dumps({k: round(statistics.median(r[k] for r in rounds), 2) for k in rounds[0]}
    | dict(metric=a.metric, faiss_recall=round(recall, 4), kd_recall=round(kd["original_recall"], 4), kd_recall_of_exact=kd["recall"])))

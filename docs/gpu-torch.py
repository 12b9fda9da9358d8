"""kd's language models beside a PyTorch version of them, on one device, in turns.

    python3 gpu-torch.py KD DATA PEER.py [--sizes small,medium] [--backend xla:cuda] [--epochs 3]

KD is the kd command, DATA the folder of Penn Treebank, PEER.py a training script that takes --data, --size, --emb (full, none
for KD without guidance) and --epochs, and prints a line with " epoch " after each. Each training runs alone. Prints the seconds of
an epoch with its validation: the median of all epochs but the first, in which things compile.
"""
import argparse, json, os, statistics, subprocess, sys, tempfile, time

p = argparse.ArgumentParser()
p.add_argument("kd"); p.add_argument("data"); p.add_argument("peer")
p.add_argument("--sizes", default="small,medium"); p.add_argument("--backend", default="xla:cuda"); p.add_argument("--epochs", type=int, default=3)
a = p.parse_args()


def ours(size, emb):
    with tempfile.TemporaryDirectory() as folder:
        metrics = os.path.join(folder, "epochs.jsonl")
        command = [a.kd, "train", "lm", "--data", a.data, "--size", size, "--emb", emb, "--epochs", str(a.epochs), "--backend", a.backend]
        subprocess.run(command + ["--metrics", metrics, "-o", os.path.join(folder, "m.kd")], check=True, stdout=subprocess.DEVNULL)
        return [json.loads(line)["seconds"] for line in open(metrics)]


def peers(size, emb):
    command = [sys.executable, "-u", a.peer, "--data", a.data, "--size", size, "--emb", "full" if emb == "full" else "none", "--epochs", str(a.epochs)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    ended = [time.time() for line in process.stdout if " epoch " in line]
    if process.wait() != 0:
        raise SystemExit(f"{a.peer} ended with {process.returncode}")
    return ended


def epoch(ended):
    return statistics.median(after - before for before, after in zip(ended, ended[1:]))


for size in a.sizes.split(","):
    for emb in "full", "kd":
        us, them = epoch(ours(size, emb)), epoch(peers(size, emb))
        print(f"{size:7} {emb:5} kd {us:6.2f} s   PyTorch {them:6.2f} s   ratio {us / them:.2f}", flush=True)

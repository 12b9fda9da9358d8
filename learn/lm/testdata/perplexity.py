"""Makes perplexity.json: the perplexity of texts by the language model in count.kd, in
NumPy and float64, word by word. The model was trained on sentences that count:

    for part in train valid test; do
        for i in $(seq 240); do echo $(for j in 0 1 2 3 4 5; do echo w$(((i * 5 + j) % 10)); done); done > data/$part.txt
    done
    sed -i '1s/w[0-9]*/<unk>/' data/train.txt
    kd train lm --data data -o count.kd --dim 6 --code-dim 5 -K 4 -D 3 --epochs 6 --batch 4 --steps-per-batch 7 --init-scale 0.3

    python3 perplexity.py > perplexity.json
"""
import json
import pathlib
import sys

import numpy as np

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here / "../../../python"))
import kdcode

TEXTS = {
    "one word to predict": "w1 w2",
    "fewer than a batch": "w5 w6 w7 w8",
    "a batch": "w0 w1 w2 w3 w4 w5 <eos> w5",
    "a batch and a word": "w0 w1 w2 w3 w4 w5 <eos> w5 w6",
    "two batches less a word": "w0 w1 w2 w3 w4 w5 <eos> w5 w6 w7 w8 w9 w0 <eos>",
    "words that come as a surprise": "w3 w3 w3 <unk> w9 w1 never <eos> seen w4 w2 <eos> <eos> w7 w0 w6 w8 w5",
}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def perplexity(table, text):
    ids = {word: i for i, word in enumerate(table.symbols)}
    words = [ids.get(word, ids["<unk>"]) for word in text.split()]
    vectors = table.lookup(np.arange(len(table))).astype(np.float64)
    t = {name: values.astype(np.float64) for name, values in table.tensors.items() if name.startswith("lm.")}
    h, c, loss = np.zeros((2, table.dim)), np.zeros((2, table.dim)), 0.0
    for word, after in zip(words, words[1:]):
        x = vectors[word]
        for layer in range(2):
            at = f"lm.lstm{layer + 1}."
            gates = x @ t[at + "input"] + h[layer] @ t[at + "recurrent"] + t[at + "bias"][0]
            forget, let_in, out, candidate = gates.reshape(4, -1)
            c[layer] = sigmoid(forget) * c[layer] + sigmoid(let_in) * np.tanh(candidate)
            h[layer] = x = sigmoid(out) * np.tanh(c[layer])
        scores = x @ t["lm.softmax.weight"] + t["lm.softmax.bias"][0]
        loss += np.log(np.exp(scores).sum()) - scores[after]
    return np.exp(loss / (len(words) - 1))


model = kdcode.Table(here / "count.kd", verify=True)
print(json.dumps([{"name": name, "text": text, "perplexity": perplexity(model, text)} for name, text in TEXTS.items()], indent=1))

#!/usr/bin/env python3
"""Trains a net on files that `copse lessons` wrote, and writes it as game/net reads it.

    python3 train/train.py --out bosk-2.net bosk-2.lessons

Games are the sample, not rows: a tenth of the games is held back, and what is printed at
the end is measured on them. The net has two hidden layers with a clipped ReLU, and four
heads: lead and win as playouts end, lead and win as games end. Weights are trained within
the bounds that whole numbers of 16 and 8 bits have, so that little is lost when they are
rounded; what is lost is measured too.
"""
import argparse
import json
import struct
import sys
import time
import zlib

import numpy as np
import torch
from torch import nn

LARGEST = 2047  # of a feature
OUT = 1023      # of a neuron, which is 32 times what it was in training
PARTS = 32
SHIFT = 6       # of the later layers: a weight of 1 is 64
LEAD = 10.0     # a lead is learned in tens of points


def read(path):
    """A file of lessons: its header, and its columns."""
    raw = open(path, 'rb').read()
    end = raw.find(b'\n')
    try:
        head = json.loads(raw[:max(end, 0)])
    except ValueError:
        head = None
    if not isinstance(head, dict) or head.get('copse') != 'lesson' or head.get('format') != 1:
        sys.exit(f'{path}: this is no file of copse lessons, or one of another version')
    row = np.dtype([('game', '<u4'), ('seat', '<u2'), ('turn', '<u2'), ('x', '<i2', (head['inputs'],)), ('y', '<f4', (4,))])
    rows = np.frombuffer(raw, row, count=(len(raw) - end - 1) // row.itemsize, offset=end + 1)
    return head, rows


class Net(nn.Module):
    def __init__(self, inputs, first, second, mean, spread):
        super().__init__()
        self.mean, self.spread = mean, spread
        self.one, self.two, self.out = nn.Linear(inputs, first), nn.Linear(first, second), nn.Linear(second, 4)

    def forward(self, x):
        top = OUT / PARTS
        h = torch.clamp(self.one((x - self.mean) / self.spread), 0, top)
        h = torch.clamp(self.two(h), 0, top)
        return self.out(h)

    def bound(self):
        """Keeps the weights of the later layers within what 8 bits can say."""
        with torch.no_grad():
            for layer in (self.two, self.out):
                layer.weight.clamp_(-127 / 2**SHIFT, 127 / 2**SHIFT)


def losses(y, t):
    """By head, over the rows that have a target: squared error of leads, log loss of wins."""
    real = ~torch.isnan(t[:, 2])
    end = torch.nan_to_num(t)
    bce = nn.functional.binary_cross_entropy_with_logits
    parts = [((y[:, 0] - end[:, 0] / LEAD) ** 2).mean(), bce(y[:, 1], end[:, 1])]
    if real.any():
        parts += [((y[real, 2] - end[real, 2] / LEAD) ** 2).mean(), bce(y[real, 3], end[real, 3])]
    return parts


def train(x, t, a, device):
    mean, spread = x.mean(0), x.std(0).clamp(min=0.5)
    torch.manual_seed(a.seed)
    net = Net(x.shape[1], a.first, a.second, mean, spread).to(device)
    steps = a.epochs * (len(x) // a.batch + 1)
    opt = torch.optim.AdamW(net.parameters(), lr=a.rate, weight_decay=a.decay)
    plan = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=a.rate, total_steps=steps + 1)
    for epoch in range(a.epochs):
        order = torch.randperm(len(x), device=device)
        for at in range(0, len(x), a.batch):
            rows = order[at:at + a.batch]
            parts = losses(net(x[rows]), t[rows])
            loss = parts[0] + parts[1] + a.results * sum(parts[2:])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            plan.step()
            net.bound()
    return net


def whole(net):
    """The net in whole numbers, and the shift of its first layer."""
    with torch.no_grad():
        w = (net.one.weight / net.spread).double().cpu().numpy()  # by neuron, by input
        b = (net.one.bias - (net.one.weight * (net.mean / net.spread)).sum(1)).double().cpu().numpy()
    shift = 14
    while True:
        wq, bq = np.rint(w * PARTS * 2**shift), np.rint(b * PARTS * 2**shift)
        if np.abs(wq).max() <= 32767 and (np.abs(wq).sum(1) * LARGEST + np.abs(bq)).max() < 2**31:
            break
        shift -= 1
    later = []
    for layer in (net.two, net.out):
        with torch.no_grad():
            later.append((np.rint(layer.weight.double().cpu().numpy() * 2**SHIFT), np.rint(layer.bias.double().cpu().numpy() * 2**SHIFT * PARTS)))
    return (wq, bq), later[0], later[1], shift


def judge(parts, x):
    """What the net in whole numbers says, as game/net computes it."""
    (w1, b1), (w2, b2), (w3, b3), shift = parts
    h = np.clip((np.clip(x, -LARGEST, LARGEST).astype(np.int64) @ w1.T.astype(np.int64) + b1.astype(np.int64)) >> shift, 0, OUT)
    h = np.clip((h @ w2.T.astype(np.int64) + b2.astype(np.int64)) >> SHIFT, 0, OUT)
    return (h @ w3.T.astype(np.int64) + b3.astype(np.int64)) / (PARTS * 2**SHIFT)


def write(path, parts, head, origin, a):
    (w1, b1), (w2, b2), (w3, b3), shift = parts
    about = {'format': 1, 'for': head['for'], 'seats': head['seats'], 'origin': origin, 'inputs': head['inputs'], 'first': a.first, 'second': a.second, 'outputs': 4, 'shiftOne': shift, 'shiftTwo': SHIFT}
    raw = b'copse net\n' + json.dumps(about, separators=(',', ':')).encode() + b'\n'
    raw += w1.T.astype('<i2').tobytes() + b1.astype('<i4').tobytes()
    raw += w2.astype('i1').tobytes() + b2.astype('<i4').tobytes()
    raw += w3.astype('i1').tobytes() + b3.astype('<i4').tobytes()
    open(path, 'wb').write(raw + struct.pack('<I', zlib.crc32(raw)))


class Help(argparse.RawDescriptionHelpFormatter, argparse.ArgumentDefaultsHelpFormatter):
    pass


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=Help)
    p.add_argument('files', nargs='+', help='of copse lessons, of one kind of table')
    p.add_argument('--out', required=True, help='the file of the net')
    p.add_argument('--first', type=int, default=64, help='neurons of the first layer')
    p.add_argument('--second', type=int, default=32, help='neurons of the second')
    p.add_argument('--epochs', type=int, default=10, help='how often it goes through all lessons')
    p.add_argument('--batch', type=int, default=4096, help='rows of a step')
    p.add_argument('--rate', type=float, default=4e-3, help='how far a step goes at most')
    p.add_argument('--decay', type=float, default=0.5, help='how much weights are held back, so that single games are not learned by heart')
    p.add_argument('--results', type=float, default=0.1, help='how much the ends of games count, where playouts count 1')
    p.add_argument('--seed', type=int, default=1, help='of the weights it begins with, and of the order of rows')
    a = p.parse_args()
    begun = time.time()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    heads, columns, games = [], [], 0
    for path in a.files:
        head, rows = read(path)
        heads.append(head)
        for k in ('for', 'options', 'seats', 'inputs'):
            if head.get(k) != heads[0].get(k):
                sys.exit(f'{path}: {k} is {head.get(k)} there, and {heads[0].get(k)} in {a.files[0]}; a net learns from games of one kind')
        columns.append((rows['game'].astype(np.int64) + games, rows['x'], rows['y']))
        games += head['games']
    number, x, y = (np.concatenate(c) for c in zip(*columns))
    games = len(np.unique(number))  # a file may have been cut short
    held = number % 10 == 9
    if not held.any():
        sys.exit(f'{games} games are too few: every tenth is held back, so there must be ten')
    xs = torch.tensor(np.clip(x, -LARGEST, LARGEST).astype(np.float32), device=device)
    ys = torch.tensor(y, device=device)
    mask = torch.tensor(held, device=device)
    net = train(xs[~mask], ys[~mask], a, device)
    parts = whole(net)
    with torch.no_grad():
        said = net(xs[mask])
        rounded = torch.tensor(judge(parts, x[held]), dtype=torch.float32, device=device)
        names = ['playout lead', 'playout win', 'lead', 'win']
        for name, one, two in zip(names, losses(said, ys[mask]), losses(rounded, ys[mask])):
            print(f'{name:>13}: {one.item():.4f}, in whole numbers {two.item():.4f}')
        real = ~torch.isnan(ys[mask][:, 2])
        t = ys[mask][real, 2]
        print(f'R2 of the lead: {1 - ((t - LEAD * rounded[real, 2]) ** 2).sum().item() / ((t - t.mean()) ** 2).sum().item():.3f}; rows {len(x)}, games {games}, held back {int(held.sum())} rows')
    players = ' and '.join(dict.fromkeys(h['player'] for h in heads))
    options = f", {json.dumps(heads[0]['options'])}" if heads[0].get('options') else ''
    origin = f"{players}, {games} games{options}, {heads[0]['playouts']} playouts, seeds {','.join(h['seed'] for h in heads)}; {a.first}-{a.second}, {a.epochs} epochs, results {a.results:g}"
    write(a.out, parts, heads[0], origin, a)
    print(f'{a.out}: {time.time() - begun:.0f} s on {device}')


if __name__ == '__main__':
    sys.exit(main())

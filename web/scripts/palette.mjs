/** Writes a PNG anew with a palette of 256 colours: flat drawings look the same
 * and weigh a third. */
import { deflateSync, inflateSync } from 'node:zlib';

/** The pixels of a PNG of 8 bits a channel, without interlace: what browsers write. */
function decode(png) {
  let at = 8;
  let head;
  const data = [];
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    const kind = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') head = { width: body.readUInt32BE(0), height: body.readUInt32BE(4), channels: { 2: 3, 6: 4 }[body[9]] };
    if (kind === 'IDAT') data.push(body);
    at += 12 + length;
  }
  const { width, height, channels } = head;
  const raw = inflateSync(Buffer.concat(data));
  const line = width * channels;
  const pixels = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (line + 1)];
    for (let x = 0; x < line; x++) {
      const left = x >= channels ? pixels[y * line + x - channels] : 0;
      const up = y ? pixels[(y - 1) * line + x] : 0;
      const corner = y && x >= channels ? pixels[(y - 1) * line + x - channels] : 0;
      const guess = left + up - corner;
      const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
      const near = a <= b && a <= c ? left : b <= c ? up : corner;
      const add = [0, left, up, (left + up) >> 1, near][filter];
      pixels[y * line + x] = raw[y * (line + 1) + 1 + x] + add;
    }
  }
  return { width, height, channels, pixels };
}

/** The best few colours for many: boxes are cut in two where they are widest. */
function cut(colours, most) {
  const boxes = [colours];
  const spread = (box) => {
    let widest = { axis: 0, range: -1 };
    for (let axis = 0; axis < 3; axis++) {
      let [low, high] = [255, 0];
      for (const { rgb } of box) [low, high] = [Math.min(low, rgb[axis]), Math.max(high, rgb[axis])];
      if (high - low > widest.range) widest = { axis, range: high - low };
    }
    return { ...widest, weight: widest.range * Math.sqrt(box.reduce((sum, c) => sum + c.count, 0)) };
  };
  const spreads = [spread(colours)];
  while (boxes.length < most) {
    const i = spreads.reduce((best, s, n) => (boxes[n].length > 1 && s.weight > (best < 0 ? 0 : spreads[best].weight) ? n : best), -1);
    if (i < 0) break;
    const { axis } = spreads[i];
    const box = boxes[i].sort((a, b) => a.rgb[axis] - b.rgb[axis]);
    const half = box.reduce((sum, c) => sum + c.count, 0) / 2;
    let n = 0;
    for (let sum = 0; n < box.length - 1 && (sum += box[n].count) < half; n++);
    const parts = [box.slice(0, Math.max(1, n)), box.slice(Math.max(1, n))];
    boxes.splice(i, 1, ...parts);
    spreads.splice(i, 1, ...parts.map(spread));
  }
  // The colour that is there most often stands for its box: grounds stay exact.
  return boxes.map((box) => box.reduce((best, c) => (c.count > best.count ? c : best)).rgb);
}

export function withPalette(png) {
  const { width, height, channels, pixels } = decode(png);
  const counts = new Map();
  for (let i = 0; i < pixels.length; i += channels) {
    const name = (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const palette = cut([...counts].map(([name, count]) => ({ rgb: [name >> 16, (name >> 8) & 255, name & 255], count })), 256);
  const index = new Map();
  for (const name of counts.keys()) {
    const [r, g, b] = [name >> 16, (name >> 8) & 255, name & 255];
    let best = 0;
    let least = Infinity;
    palette.forEach(([pr, pg, pb], i) => {
      const far = 3 * (r - pr) ** 2 + 4 * (g - pg) ** 2 + 2 * (b - pb) ** 2;
      if (far < least) [least, best] = [far, i];
    });
    index.set(name, best);
  }
  const raw = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = (y * width + x) * channels;
      raw[y * (width + 1) + 1 + x] = index.get((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
    }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const chunk = (kind, body) => {
    const all = Buffer.concat([Buffer.alloc(4), Buffer.from(kind, 'latin1'), body, Buffer.alloc(4)]);
    all.writeUInt32BE(body.length, 0);
    all.writeUInt32BE(crc(all.subarray(4, 8 + body.length)), 8 + body.length);
    return all;
  };
  return Buffer.concat([png.subarray(0, 8), chunk('IHDR', head), chunk('PLTE', Buffer.from(palette.flat())), chunk('IDAT', deflateSync(raw, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}

function crc(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

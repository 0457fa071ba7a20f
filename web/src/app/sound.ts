/** Small wooden sounds, made here: nothing is loaded. */
import { settings } from './settings.svelte.ts';

type Sound = 'place' | 'refuse' | 'turn' | 'end';

const tunes: Record<Sound, [pitch: number, at: number][]> = {
  place: [[440, 0]],
  refuse: [[150, 0]],
  turn: [[520, 0], [660, 0.09]],
  end: [[392, 0], [494, 0.14], [587, 0.28]],
};

let speaker: AudioContext | undefined;

export function play(sound: Sound) {
  if (!settings.sound) return;
  speaker ??= new AudioContext();
  for (const [pitch, at] of tunes[sound]) knock(speaker, pitch, speaker.currentTime + at);
}

/** A knock on wood: a tone that dies at once. */
function knock(speaker: AudioContext, pitch: number, at: number) {
  const tone = speaker.createOscillator();
  const loud = speaker.createGain();
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(pitch * 1.5, at);
  tone.frequency.exponentialRampToValueAtTime(pitch, at + 0.03);
  loud.gain.setValueAtTime(0.18, at);
  loud.gain.exponentialRampToValueAtTime(0.001, at + 0.14);
  tone.connect(loud).connect(speaker.destination);
  tone.start(at);
  tone.stop(at + 0.15);
}

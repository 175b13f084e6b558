/** One soft tone for what went well, where the child wants it; none for anything else. */
import { prefs } from "./prefs.svelte";

const PITCHES = [523.25, 783.99];
const APART_S = 0.12;
const LASTS_S = 0.35;
const LOUD = 0.12;
let sounds: AudioContext | undefined;

export function tone(): void {
  if (!prefs.sound) return;
  sounds ??= new AudioContext();
  for (const [index, pitch] of PITCHES.entries()) {
    const from = sounds.currentTime + index * APART_S;
    const string = new OscillatorNode(sounds, { type: "sine", frequency: pitch });
    const volume = new GainNode(sounds, { gain: LOUD });
    volume.gain.setValueAtTime(LOUD, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + LASTS_S);
    string.connect(volume).connect(sounds.destination);
    string.start(from);
    string.stop(from + LASTS_S);
  }
}

import type { Voice } from '../speech/voices.ts'
import { vowels, type Hesitation } from './hesitation.ts'

/** What stands between the two halves of a sentence. */
export type Insert =
  /** Said by the voice itself, at this speed. */
  | { readonly say: string; readonly speed?: number }
  /** Made, with its pitch in relation to the voice. */
  | { readonly hold: Omit<Hesitation, 'hertz' | 'size' | 'seed'> & { readonly pitch: number } }
  /** Something that falls, rain, a crowd: that much of a noise. */
  | { readonly noise: 'clatter' | 'rain' | 'crowd' | 'music'; readonly seconds: number }
  | { readonly tone: number; readonly seconds: number }

export type Kind = {
  readonly name: string
  readonly inserts: readonly Insert[]
  /** Whether the inserts are to be cut. */
  readonly isFiller: boolean
  /** On which side no pause is between the insert and the words. */
  readonly glued?: 'before' | 'after'
}

/** Halves of sentences, written for this benchmark. */
export const halves: readonly (readonly [string, string])[] = [
  ['The train to the coast', 'leaves at a quarter past nine.'],
  ['She asked whether anybody', 'had seen the small brown dog.'],
  ['Please turn off the lights', 'before you leave the office.'],
  ['The recipe needs two cups of flour', 'and a little salt.'],
  ['Every morning he walked', 'along the harbour with his friend.'],
  ['Most visitors spend an hour', 'in the garden behind the museum.'],
  ['After the storm the children', 'collected branches from the street.'],
  ['He opened the letter slowly', 'and put it in his pocket.'],
  ['You can borrow my bicycle', 'if you bring it back before dinner.'],
  ['A narrow path leads', 'through the forest to a wooden hut.'],
]

/** The middle of the pitch of each voice, in hertz, and the size of its mouth. */
export const people: Readonly<Record<Voice, { hertz: number; size: number }>> = {
  slt: { hertz: 172, size: 1.15 },
  rms: { hertz: 92, size: 1 },
  awb: { hertz: 128, size: 1 },
}

/** In seconds, before and behind an insert; one after the other. */
export const pauses = [0.2, 0.35, 0.15, 0.5, 0.25, 0.8] as const

const { uh, er, ah, ee, oo } = vowels

const held: readonly Insert[] = [
  { hold: { vowel: uh, pitch: 0.9, seconds: 0.3 } },
  { hold: { vowel: uh, pitch: 0.85, seconds: 0.45, closed: 0.5 } },
  { hold: { vowel: er, pitch: 0.95, seconds: 0.35 } },
  { hold: { vowel: uh, pitch: 1, seconds: 0.25 } },
  { hold: { vowel: er, pitch: 0.8, seconds: 0.6, closed: 0.4 } },
  { hold: { vowel: uh, pitch: 0.9, seconds: 0.7 } },
  { hold: { vowel: uh, pitch: 0.9, seconds: 0.55, closed: 0.6, fall: 2.5 } },
  { hold: { vowel: er, pitch: 0.9, seconds: 0.9, fall: 2 } },
  { hold: { vowel: uh, pitch: 1.05, seconds: 0.4, fall: 0.5 } },
  { hold: { vowel: uh, pitch: 0.95, seconds: 0.22 } },
]

const says = (words: string, speed = 1): Insert[] =>
  words.split(' ').map((word) => ({ say: word, speed }))

export const fillers: readonly Kind[] = [
  {
    name: 'spoken',
    isFiller: true,
    inserts: [...says('um uh er erm'), ...says('um uh er', 0.7), ...says('um uh er', 0.5)],
  },
  { name: 'held', isFiller: true, inserts: held },
  { name: 'held, no pause before', isFiller: true, inserts: held, glued: 'before' },
  { name: 'held, no pause behind', isFiller: true, inserts: held, glued: 'after' },
]

export const others: readonly Kind[] = [
  { name: 'nothing', isFiller: false, inserts: halves.map(() => ({ say: '' })) },
  {
    name: 'words alone',
    isFiller: false,
    inserts: says('but so and a on or no oh I you the one our in are her of up yeah now well we'),
  },
  {
    name: 'words drawn out',
    isFiller: false,
    inserts: [...says('but so and or no the well I', 0.6), ...says('but so and a the of', 0.5)],
  },
  {
    name: 'answers',
    isFiller: false,
    inserts: ['uh huh', 'mm hm', 'uh oh', 'oh no', 'ah yes'].flatMap((say) => [
      { say },
      { say, speed: 0.75 },
    ]),
  },
  {
    name: 'hummed and sung',
    isFiller: false,
    inserts: [
      { hold: { vowel: uh, pitch: 1.3, seconds: 1.1, closed: 1, fall: -7, vibrato: 0.6 } },
      { hold: { vowel: uh, pitch: 1.5, seconds: 0.9, closed: 1, fall: 5 } },
      { hold: { vowel: ah, pitch: 1.6, seconds: 1, vibrato: 0.6, fall: 0 } },
      { hold: { vowel: uh, pitch: 1.8, seconds: 0.8, vibrato: 0.5, fall: 0 } },
      { hold: { vowel: uh, pitch: 1.5, seconds: 0.5, fall: -5 } },
      { hold: { vowel: ee, pitch: 1, seconds: 0.5 } },
      { hold: { vowel: oo, pitch: 1, seconds: 0.5 } },
      { hold: { vowel: ee, pitch: 1.2, seconds: 0.8, vibrato: 0.4, fall: 0 } },
      { hold: { vowel: uh, pitch: 0.9, seconds: 1.6 } },
      { hold: { vowel: uh, pitch: 0.9, seconds: 0.12 } },
    ],
  },
  {
    name: 'other sounds',
    isFiller: false,
    inserts: [
      { noise: 'clatter', seconds: 0.5 },
      { noise: 'rain', seconds: 0.6 },
      { noise: 'crowd', seconds: 0.5 },
      { noise: 'crowd', seconds: 1 },
      { noise: 'music', seconds: 0.4 },
      { noise: 'music', seconds: 1 },
      { tone: 140, seconds: 0.4 },
      { tone: 220, seconds: 0.6 },
      { tone: 440, seconds: 0.3 },
      { tone: 1_000, seconds: 0.5 },
    ],
  },
]

/** Starts that are said again, as `[said and to be cut, what follows]`. */
export const repeats: readonly (readonly [string, string])[] = [
  ['I', 'I think the train is late today.'],
  ['we went', 'we went to the harbour in the morning.'],
  ['the', 'the doctor said that the results are ready.'],
  ['she was', 'she was looking for her small brown dog.'],
  ['but we', 'but we never found the key to the garden.'],
  ['they have', 'they have been working for more than three weeks.'],
  ['he', 'he opened the letter and read it twice.'],
  ['there are', 'there are seven hundred students at the school.'],
  ['if you', 'if you bring it back you can borrow my bicycle.'],
  ['we were', 'we were waiting outside for the neighbours.'],
]

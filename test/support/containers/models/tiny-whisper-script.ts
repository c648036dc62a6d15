import type { Weights } from './onnx-file.ts'

/**
 * A Whisper whose weights are written by hand: it has the graph, the inputs, outputs and files of a published one, and what
 * it writes follows from tones in the sound and from the text before.
 */
export type TinyWhisper = {
  /** How the decoder is divided into files. */
  readonly make?: 'merged' | 'pair' | 'alone'
  /** The folder of the graphs in that of the model, and what their names end with. */
  readonly under?: string
  readonly ending?: string
  /** Whether the attention is an output, or a named or unnamed node, or computed without one. */
  readonly attention?: 'output' | 'named' | 'unnamed' | 'hidden'
  /** Inputs and outputs of half precision. */
  readonly half?: boolean
  /** The weights are in files beside the graphs. */
  readonly external?: boolean
  readonly bands?: number
  readonly isEnglish?: boolean
  /** Moves of the script, on top of the usual ones: after one word the other, with this score. */
  readonly script?: readonly (readonly [from: Word, to: Word, score: number])[]
  readonly generation?: Readonly<Record<string, unknown>>
}

/** What the model can say. 東 is written in two tokens. */
export const texts = [
  'hei',
  'maa',
  'ilma',
  'stop',
  'no',
  'to1',
  'to2',
  'kyo',
  'desu',
  'maru',
] as const
export const steering = [
  ...(['end', 'sot', 'fi', 'ja', 'translate', 'transcribe'] as const),
  ...(['startoflm', 'startofprev', 'nospeech', 'notimestamps'] as const),
]
const times = ['t0', 't4'] as const
type Word = (typeof texts)[number] | (typeof steering)[number] | (typeof times)[number]

const words: readonly Word[] = [...texts, ...steering, ...times]
export const pieces = ['Ġhei', 'Ġmaa', 'ilma', '.', 'Ġno', 'æĿ', '±', 'äº¬', 'ãģ§ãģĻ', 'ãĢĤ']
const firstTimestamp = texts.length + steering.length
export const vocabularySize = firstTimestamp + 1_501

/** The number of the token that stands for a word of the script; `t4` is four seconds. */
export function tokenOf(word: Word): number {
  const at = words.indexOf(word)
  return word === 't4' ? firstTimestamp + 200 : at
}

/** Tones that the encoder tells apart: two for the languages, two for the words. */
export const tones = { fi: 400, ja: 1_000, one: 2_000, two: 4_000 } as const
export const features = Object.keys(tones).length

const usualScript: NonNullable<TinyWhisper['script']> = [
  ['transcribe', 't0', 200],
  ['t0', 'hei', 30],
  ['t0', 'to1', 30],
  ['t0', 'no', 10],
  ['hei', 'maa', 200],
  ['maa', 'ilma', 200],
  ['ilma', 'stop', 200],
  ['no', 'stop', 200],
  ['stop', 't4', 200],
  ['to1', 'to2', 200],
  ['to2', 'kyo', 200],
  ['kyo', 'desu', 200],
  ['desu', 'maru', 200],
  ['maru', 't4', 200],
  ['t4', 'end', 200],
]

/** Which tone each word listens for while the next one is written: 2 and 3 are those of the words. */
const listening: readonly (readonly [Word, number])[] = [
  ['t0', 2],
  ...(['to1', 'to2'] as const).map((word) => [word, 2] as const),
  ...(['hei', 'maa', 'ilma', 'stop', 'kyo', 'desu', 'maru'] as const).map(
    (word) => [word, 3] as const,
  ),
]

export function matrix(
  rows: number,
  columns: number,
  cells: readonly (readonly [number, number, number])[],
) {
  const values = new Float32Array(rows * columns)
  for (const [row, column, value] of cells) values[row * columns + column] = value
  return { dims: [rows, columns], values } satisfies Weights
}

const classOf = (word: Word): number => words.indexOf(word)
export const classes = words.length

export function decoderWeights({ script = [], isEnglish }: TinyWhisper): Record<string, Weights> {
  const moves = [...usualScript, ...(isEnglish ? ([['sot', 't0', 200]] as const) : []), ...script]
  return {
    embedding: matrix(
      vocabularySize,
      classes,
      words.map((word, i) => [tokenOf(word), i, 1]),
    ),
    spelling: matrix(
      classes,
      vocabularySize,
      words.map((word, i) => [i, tokenOf(word), 1]),
    ),
    script: matrix(
      classes,
      classes,
      moves.map(([from, to, score]) => [classOf(from), classOf(to), score]),
    ),
    // The language of the prompt decides between two words, as long as it is remembered.
    memory: matrix(classes, classes, [
      [classOf('fi'), classOf('hei'), 400],
      [classOf('ja'), classOf('to1'), 400],
    ]),
    hearing: matrix(features, classes, [
      [0, classOf('fi'), 1_000],
      [1, classOf('ja'), 1_000],
    ]),
    query: matrix(
      classes,
      features,
      listening.map(([word, tone]) => [classOf(word), tone, 20]),
    ),
    evenly: matrix(classes, classes, []),
    one: { dims: [1], values: BigInt64Array.of(1n) },
    nothing: { dims: [1, 1, 0, features], values: new Float32Array(0) },
  }
}

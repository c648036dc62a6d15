import type { Tensor } from 'onnxruntime-node'
import { tokenPlaces, type TokenAttention } from '../align-tokens.ts'
import { certain, findLoop } from '../decode/loop-guard.ts'
import { NextToken, once, type Draft } from '../decode/draft.ts'
import type { DecodedText, TokenPlace } from '../recogniser.ts'
import { speechRate } from '../../../sound/speech-sound.ts'
import type { NameSpeller } from '../decode/spell-names.ts'
import { writeDraft } from '../decode/write-draft.ts'
import type { StepAnswer } from './decoder-graph.ts'
import type { WhisperParts } from './whisper-parts.ts'
import { timestampSeconds, type WhisperTokens } from './whisper-tokens.ts'
import { meanOf } from '../../../numbers/mean.ts'

/** More than any language needs; a longer text is a loop. */
const tokensPerSecond = 25
const leastTokens = 12

/** The model's own judgement that nobody speaks, which counts if it is not sure of its text either. */
const noSpeech = 0.6
const unsure = -1

type Task = {
  readonly heard: Tensor
  /** The number of samples that were heard; silence follows. */
  readonly length: number
  readonly prompt: readonly number[]
  readonly names: NameSpeller | undefined
  readonly checkStop: () => void
}

/** With timestamps, without the end. */
type WrittenText = {
  readonly tokens: readonly number[]
  /** For each token, and for the end if it came. */
  readonly logProbabilities: readonly number[]
  /** For each token, and for the next one. */
  readonly attention: readonly TokenAttention[]
  readonly isWhole: boolean
}

/** Finds the most likely text of a window, token by token. */
export async function decodeWhisper(parts: WhisperParts, task: Task): Promise<DecodedText> {
  const { written, silence } = await write(parts, task)
  if (silence > noSpeech && meanOf(written.logProbabilities) < unsure) return nothing
  return textOf(parts, task, written)
}

const nothing: DecodedText = { tokens: [], logProbabilities: [], place: () => [] }

async function write(
  parts: WhisperParts,
  task: Task,
): Promise<{ readonly written: WrittenText; readonly silence: number }> {
  const { end, most, noSpeech: silent } = parts.tokens
  const limit = Math.min(
    most - task.prompt.length,
    leastTokens + Math.floor((task.length / speechRate) * tokensPerSecond),
  )
  const heard = await parts.write(task.heard).feed(task.prompt)
  const begun = draftOf({ parts, task }, heard, emptyText)
  const isOver = (tokens: readonly number[]): boolean =>
    tokens.length >= limit || findLoop(tokens, certain) !== undefined
  const { draft, isWhole } = await writeDraft(begun, { end, isOver, names: task.names })
  const { tokens, attention, next } = draft
  const last = isWhole ? [next.logProbability(end)] : []
  return {
    written: { tokens, attention, isWhole, logProbabilities: [...draft.logProbabilities, ...last] },
    silence: heard.afterFirst ? probabilityOf(heard.afterFirst, silent) : 0,
  }
}

interface WhisperDraft extends Draft<WhisperDraft>, Pick<WrittenText, 'attention'> {}
const emptyText = { tokens: [], logProbabilities: [], attention: [] }

function draftOf(
  of: { readonly parts: WhisperParts; readonly task: Task },
  { afterLast, attention: heads, run }: StepAnswer,
  { tokens, ...before }: Pick<WrittenText, 'tokens' | 'logProbabilities' | 'attention'>,
): WhisperDraft {
  const { tokens: rules } = of.parts
  ruleOut(afterLast, tokens, { rules, seconds: of.task.length / speechRate })
  const next = new NextToken(afterLast, rules.end)
  const attention = [...before.attention, following(of.parts, heads)]
  const add = once(async (added: number) => {
    of.task.checkStop()
    return draftOf(of, await run.feed([added]), {
      tokens: [...tokens, added],
      logProbabilities: [...before.logProbabilities, next.logProbability(added)],
      attention,
    })
  })
  return { tokens, logProbabilities: before.logProbabilities, attention, next, add }
}

/** The heads that follow the sound: those that the model names, or else all of the later half of its layers. */
function following(
  { alignmentHeads }: WhisperParts,
  attention: readonly (readonly Float32Array[])[],
): TokenAttention {
  const heads = alignmentHeads
    ? alignmentHeads.flatMap(([layer, head]) => attention[layer]?.[head] ?? [])
    : attention.slice(Math.floor(attention.length / 2)).flat()
  // The runtime uses the memory of its outputs again.
  return heads.map((row) => row.slice())
}

function textOf(parts: WhisperParts, { heard, length }: Task, written: WrittenText): DecodedText {
  const { tokens: rules } = parts
  const { kept, heardSamples } = finished(written, rules, length)
  const isText = (token: number): boolean => !isTimestamp(rules, token)
  const text = kept.filter(isText)
  const ofText = kept.flatMap((token, i) => (isText(token) ? [i] : []))
  const end = written.isWhole ? [written.tokens.length] : []
  const judged = [...ofText, ...end]
  // What comes after the last piece of text, even a timestamp, marks its end.
  const afterText = (ofText.at(-1) ?? -1) + 1
  const attention = [...ofText, afterText].flatMap((i) => {
    const heads = written.attention[i]
    return heads ? [heads] : []
  })
  const frames = heard.dims[1] ?? 1
  const samplesPerFrame = parts.longest / frames
  const heardFrames = Math.min(frames, Math.ceil(length / samplesPerFrame))
  const place = (): readonly TokenPlace[] =>
    (attention[0]?.length ?? 0) > 0
      ? tokenPlaces(
          attention.map((heads) => heads.map((row) => row.subarray(0, heardFrames))),
          heardFrames,
          { samplesPerFrame },
        )
      : spreadTokens(
          text.map((token) => rules.vocabulary[token]?.length ?? 0),
          stretchesOf(kept, rules, length),
        )
  return {
    tokens: text,
    logProbabilities: judged.map((i) => written.logProbabilities[i] ?? 0),
    place,
    ...(heardSamples !== undefined && { heardSamples }),
  }
}

const isTimestamp = ({ firstTimestamp: first }: WhisperTokens, token: number): boolean =>
  first !== undefined && token >= first

/** The tokens to keep, and how far the model got if it says that speech goes on after them. */
function finished(
  { tokens, isWhole }: WrittenText,
  { firstTimestamp: first }: WhisperTokens,
  length: number,
): { readonly kept: readonly number[]; readonly heardSamples?: number } {
  if (first === undefined) return { kept: tokens }
  const samplesAt = (token: number): number =>
    Math.min(length, Math.round((token - first) * timestampSeconds * speechRate))
  const [before = 0, last = 0] = tokens.slice(-2)
  // A timestamp that opens a text, and then nothing: the text did not fit.
  if (isWhole) {
    return last >= first && before >= first
      ? { kept: tokens, heardSamples: samplesAt(last) }
      : { kept: tokens }
  }
  if (findLoop(tokens, certain)) return { kept: tokens }
  // The text was cut off: what comes after its last complete sentence is written with the rest.
  const closing = tokens.findLastIndex(
    (token, i) => token >= first && (tokens[i - 1] ?? first) < first,
  )
  if (closing < 0) return { kept: tokens }
  return { kept: tokens.slice(0, closing + 1), heardSamples: samplesAt(tokens[closing] ?? first) }
}

/** The tokens from `from` on are said after `start`, until the next stretch or its end, in samples. */
type SaidStretch = { readonly from: number; readonly start: number; readonly end: number }

/** Where a model does not show its attention: each token gets a share of its stretch, by its length in bytes. */
function spreadTokens(lengths: readonly number[], stretches: readonly SaidStretch[]): TokenPlace[] {
  return stretches.flatMap(({ from, start, end }, i) => {
    const share = lengths.slice(from, stretches[i + 1]?.from)
    const total = share.reduce((sum, length) => sum + length, 0)
    let before = 0
    return share.map((length) => {
      const at = start + ((end - start) * before) / Math.max(1, total)
      before += length
      return { start: at, peak: at + ((end - start) * length) / Math.max(1, total) / 2 }
    })
  })
}

/** The stretches of text between two timestamps; all of the sound if there are none. */
function stretchesOf(
  kept: readonly number[],
  { firstTimestamp: first = Number.POSITIVE_INFINITY }: WhisperTokens,
  length: number,
): SaidStretch[] {
  const stretches: SaidStretch[] = []
  let start = 0
  let from = 0
  let texts = 0
  const close = (end: number): void => {
    if (texts > from) stretches.push({ from, start, end: Math.min(length, end) })
    from = texts
  }
  for (const token of kept) {
    if (token < first) {
      texts++
      continue
    }
    const at = (token - first) * timestampSeconds * speechRate
    close(at)
    start = Math.min(length, at)
  }
  close(length)
  return stretches
}

/** The share of one token among all. */
export function probabilityOf(logits: Float32Array, token: number | undefined): number {
  if (token === undefined) return 0
  const highest = logits.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY)
  const sum = logits.reduce((total, value) => total + Math.exp(value - highest), 0)
  return Math.exp((logits[token] ?? Number.NEGATIVE_INFINITY) - highest) / sum
}

type TokenRules = Pick<
  WhisperTokens,
  'end' | 'suppressed' | 'suppressedFirst' | 'firstTimestamp' | 'latestStart'
>

/**
 * Rules out, in place, every token that may not come next. Text stands between two timestamps, time never goes back, a
 * text begins within its first second, and nothing is said after the end of the sound.
 */
export function ruleOut(
  logits: Float32Array,
  written: readonly number[],
  { rules, seconds }: { readonly rules: TokenRules; readonly seconds: number },
): void {
  const { suppressed, suppressedFirst, firstTimestamp: first } = rules
  for (const token of suppressed) forbid(logits, token)
  if (written.length === 0) for (const token of suppressedFirst) forbid(logits, token)
  if (first === undefined || first >= logits.length) return
  const latest = first + Math.ceil(seconds / timestampSeconds)
  forbidRange(logits, latest + 1, logits.length)
  if (written.length === 0) {
    forbidRange(logits, 0, first)
    forbidRange(logits, first + rules.latestStart + 1, logits.length)
    return
  }
  pairUp(logits, written, { first, end: rules.end })
  preferTimestamp(logits, first)
}

function pairUp(
  logits: Float32Array,
  written: readonly number[],
  { first, end }: { readonly first: number; readonly end: number },
): void {
  const [last = 0, before] = [written.at(-1), written.at(-2)]
  if (last >= first) {
    // A pair is complete, or the text has just begun: now comes text. Otherwise the next text begins, or all of it ends.
    if (before === undefined || before >= first) forbidRange(logits, first, logits.length)
    else {
      const mayEnd = logits[end] ?? Number.NEGATIVE_INFINITY
      forbidRange(logits, 0, first)
      logits[end] = mayEnd
    }
  }
  const latest = written.findLast((token) => token >= first)
  if (latest === undefined) return
  const isOpening = last >= first && before !== undefined && before < first
  forbidRange(logits, first, isOpening ? latest : latest + 1)
}

/** A timestamp comes if all of them together are more likely than any piece of text. */
function preferTimestamp(logits: Float32Array, first: number): void {
  const text = highest(logits.subarray(0, first))
  const stamps = logits.subarray(first)
  const best = highest(stamps)
  if (best === Number.NEGATIVE_INFINITY) return
  let sum = 0
  for (const logit of stamps) sum += Math.exp(logit - best)
  if (best + Math.log(sum) > text) forbidRange(logits, 0, first)
}

function highest(values: Float32Array): number {
  return values.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY)
}

function forbid(logits: Float32Array, token: number): void {
  if (token < logits.length) logits[token] = Number.NEGATIVE_INFINITY
}

function forbidRange(logits: Float32Array, from: number, to: number): void {
  logits.fill(Number.NEGATIVE_INFINITY, Math.max(0, from), Math.max(0, to))
}

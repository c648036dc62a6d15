import { timestampSeconds, type WhisperTokens } from './whisper-tokens.ts'

type Rules = Pick<
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
  { rules, seconds }: { readonly rules: Rules; readonly seconds: number },
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

import type { Tensor } from 'onnxruntime-node'
import type { SoundExcerpt, Recording } from '../recogniser.ts'
import { probabilityOf } from './decode-whisper.ts'
import type { WhisperParts } from './whisper-parts.ts'

/** This many windows vote, the longest ones: a short one says little about its language. */
const mostVotes = 8

/** The encoder's answers for the windows that voted, which need not be heard again. */
export type HeardWindows = Map<string, Tensor>

export const windowKey = ({ samples, offset }: SoundExcerpt): string =>
  `${offset}+${samples.length}`

/** Each window gives each language the probability that it is spoken there, times its length; the sum decides. */
export async function voteLanguage(
  parts: WhisperParts,
  { sound, pieces, turns }: Recording,
): Promise<{ readonly language: string | undefined; readonly heard: HeardWindows }> {
  const votes = new Map<string, number>()
  const heard: HeardWindows = new Map()
  const byLength = [...pieces].sort((a, b) => b.end - b.start - (a.end - a.start))
  for (const { start, end } of byLength.slice(0, mostVotes)) {
    const samples = await sound.read(start, end)
    const shares = await turns.take(async (checkStop) => {
      checkStop()
      const encoded = await parts.hear(samples)
      heard.set(windowKey({ samples, offset: start }), encoded)
      checkStop()
      return sharesOf(parts, encoded)
    })
    for (const [language, share] of shares) {
      votes.set(language, (votes.get(language) ?? 0) + share * (end - start))
    }
  }
  const [winner] = [...votes].sort(([, a], [, b]) => b - a)
  return { language: winner?.[0], heard }
}

async function sharesOf(
  { tokens, write }: WhisperParts,
  heard: Tensor,
): Promise<ReadonlyMap<string, number>> {
  const { afterLast } = await write(heard).feed([tokens.start])
  const among = new Set(tokens.languages.values())
  const scores = afterLast.map((score, token) =>
    among.has(token) ? score : Number.NEGATIVE_INFINITY,
  )
  return new Map(
    [...tokens.languages].map(([code, token]) => [code, probabilityOf(scores, token)] as const),
  )
}

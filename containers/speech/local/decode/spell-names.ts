import type { Draft } from './draft.ts'
import { bytesOfTokens, type Vocabulary } from '../vocabulary.ts'

/**
 * How much less likely than the best token those of a name may be, as logarithms: at first, and all together. If the name is
 * really spoken, its beginning is likely, and its rest even more.
 */
const mostAtFirst = 4.5
const mostInAll = 8

/** The ways to write names in the tokens of one model. */
export type NameSpeller = {
  /** From each beginning of a name, a token that continues it, and how far that gets. */
  readonly steps: ReadonlyMap<string, readonly (readonly [token: number, begun: string])[]>
  readonly names: ReadonlySet<string>
  /** Whether a name that is followed by this token has ended there. */
  readonly endsWord: (token: number) => boolean
  /** How many names a text has. */
  readonly count: (tokens: readonly number[]) => number
}

/** Bytes as text, so that one may begin with the other. Names stand behind a space. */
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

export function spellNames(
  names: readonly string[],
  vocabulary: Vocabulary,
): NameSpeller | undefined {
  if (names.length === 0) return undefined
  const spelled = new Set(names.map((name) => latin1(Buffer.from(` ${name}`))))
  const tokens = new Map<string, number[]>()
  vocabulary.forEach((bytes, token) => {
    if (bytes.length > 0) tokens.set(latin1(bytes), [...(tokens.get(latin1(bytes)) ?? []), token])
  })
  const longest = Math.max(...Array.from(tokens.keys(), (bytes) => bytes.length))
  const steps = new Map<string, [number, string][]>()
  for (const name of spelled) {
    for (let from = 0; from < name.length; from++) {
      const begun = name.slice(0, from)
      const known = steps.get(begun) ?? []
      steps.set(begun, known)
      for (let to = from + 1; to <= Math.min(name.length, from + longest); to++) {
        const reached = name.slice(0, to)
        if (known.some(([, other]) => other === reached)) continue
        known.push(
          ...(tokens.get(name.slice(from, to)) ?? []).map((t): [number, string] => [t, reached]),
        )
      }
    }
  }
  const letter = /^[\p{L}\p{N}]/u
  const endsWord = (token: number): boolean =>
    !letter.test(Buffer.from(vocabulary[token] ?? []).toString('utf8'))
  const count = (written: readonly number[]): number => {
    const text = latin1(bytesOfTokens(vocabulary, written))
    return [...spelled].reduce((sum, name) => sum + text.split(name).length - 1, 0)
  }
  return { steps, names: spelled, endsWord, count }
}

/** The drafts that continue with a whole name, if that could be what is said. */
export async function forksAt<D extends Draft<D>>(draft: D, speller: NameSpeller): Promise<D[]> {
  const forks: D[] = []
  const explore = async (at: D, begun: string, loss: number): Promise<void> => {
    const best = at.next.logProbability(at.next.token)
    for (const [token, reached] of speller.steps.get(begun) ?? []) {
      const lost = loss + best - at.next.logProbability(token)
      if (lost > (begun === '' ? mostAtFirst : mostInAll)) continue
      const next = await at.add(token)
      if (speller.names.has(reached) && speller.endsWord(next.next.token)) forks.push(next)
      await explore(next, reached, lost)
    }
  }
  await explore(draft, '', 0)
  return forks
}

import type { Draft } from './draft.ts'
import { forksAt, type NameSpeller } from './spell-names.ts'

type Rules = {
  readonly end: number
  /** Whether the text is longer than anybody can have said. */
  readonly isOver: (tokens: readonly number[]) => boolean
  readonly names: NameSpeller | undefined
}

export type WrittenDraft<D> = { readonly draft: D; readonly isWhole: boolean }
type Line<D> = WrittenDraft<D> & { readonly forks: readonly D[] }

/**
 * How much less likely than the most likely text one may be that has a name in it, as a logarithm. Decision 074 says what it was
 * measured with.
 */
const mostLoss = 6

/**
 * Finds the most likely text, token by token. Where a name could have been written instead, finds the most likely text with it,
 * and takes that if it is nearly as likely: what is said after a wrong name does not fit it.
 */
export async function writeText<D extends Draft<D>>(
  begun: D,
  rules: Rules,
): Promise<WrittenDraft<D>> {
  let line = await follow(begun, rules)
  for (let [fork, ...others] = line.forks; fork; [fork, ...others] = others) {
    if (isWithin(line.draft.tokens, fork.tokens)) continue
    const other = await follow(fork, rules)
    if (!other.isWhole || likelihoodOf(other, rules) + mostLoss < likelihoodOf(line, rules))
      continue
    line = other
    others = [...other.forks]
  }
  return line
}

async function follow<D extends Draft<D>>(begun: D, rules: Rules): Promise<Line<D>> {
  const forks: D[] = []
  let draft = begun
  while (!rules.isOver(draft.tokens)) {
    if (rules.names) forks.push(...(await forksAt(draft, rules.names)))
    if (draft.next.token === rules.end) return { draft, forks, isWhole: true }
    draft = await draft.add(draft.next.token)
  }
  return { draft, forks, isWhole: false }
}

function isWithin(tokens: readonly number[], beginning: readonly number[]): boolean {
  return beginning.every((token, i) => tokens[i] === token)
}

function likelihoodOf<D extends Draft<D>>({ draft, isWhole }: Line<D>, { end }: Rules): number {
  const last = isWhole ? draft.next.logProbability(end) : 0
  return draft.logProbabilities.reduce((sum, value) => sum + value, last)
}

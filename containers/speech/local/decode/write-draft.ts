import type { Draft } from './draft.ts'
import { forksAt, type NameSpeller } from './spell-names.ts'

type Rules = {
  readonly end: number
  /** Whether the text is too long to have been spoken. */
  readonly isOver: (tokens: readonly number[]) => boolean
  readonly names: NameSpeller | undefined
}

type WrittenDraft<D> = { readonly draft: D; readonly isWhole: boolean }
/** `at`: how many tokens come before the name. */
type Fork<D> = { readonly at: number; readonly draft: D }
type Forked<D> = WrittenDraft<D> & { readonly forks: readonly Fork<D>[] }

/** How much less likely than the most likely text one with a name may be, as a logarithm. Decision 073 has the measurements. */
const mostLoss = 6
/** More names are tried only if common words are listed as names. Each try takes as long as the rest of its window. */
const mostTries = 12

/**
 * Finds the most likely text, token by token. Where a name could have been written instead, finds the most likely text with it,
 * and takes that if it is nearly as likely: what is said after a wrong name does not fit it.
 */
export async function writeDraft<D extends Draft<D>>(
  begun: D,
  rules: Rules,
): Promise<WrittenDraft<D>> {
  let line = await follow(begun, rules)
  let tries = 0
  for (let [fork, ...others] = line.forks; fork; [fork, ...others] = others) {
    if (fork.draft.tokens.every((token, i) => line.draft.tokens[i] === token)) continue
    if (++tries > mostTries) break
    const other = await follow(fork.draft, rules)
    if (!other.isWhole || worthOf(other, rules) < worthOf(line, rules)) continue
    line = other
    // Another name in the same place may be more likely still.
    others = [...others.filter(({ at }) => at === fork.at), ...other.forks]
  }
  return line
}

async function follow<D extends Draft<D>>(begun: D, rules: Rules): Promise<Forked<D>> {
  const forks: Fork<D>[] = []
  let draft = begun
  while (!rules.isOver(draft.tokens)) {
    const named = rules.names ? await forksAt(draft, rules.names) : []
    const at = draft.tokens.length
    forks.push(...named.map((fork) => ({ at, draft: fork })))
    if (draft.next.token === rules.end) return { draft, forks, isWhole: true }
    draft = await draft.add(draft.next.token)
  }
  return { draft, forks, isWhole: false }
}

/** How likely a text is, after adding what each of its names may cost. */
function worthOf<D extends Draft<D>>({ draft, isWhole }: Forked<D>, { end, names }: Rules): number {
  const last = isWhole ? draft.next.logProbability(end) : 0
  const worth = draft.logProbabilities.reduce((sum, value) => sum + value, last)
  return worth + mostLoss * (names?.count(draft.tokens) ?? 0)
}

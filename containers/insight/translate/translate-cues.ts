import { atMost } from '../../errors/at-most.ts'
import { fewWarnings } from '../../errors/few-warnings.ts'
import { ProviderFault, type ProviderFaultKind } from '../../providers/provider-fault.ts'
import { AnalysisFailure, type Question } from '../analysis-provider.ts'
import { candidateOf, type Candidate, type CueText } from './judge-translation.ts'
import { readTranslation, writeQuestion, type Wanted } from './translation-prompt.ts'

/** Asks the provider; rejects with an `AnalysisFailure`. */
export type AskModel = (question: Question, signal: AbortSignal) => Promise<unknown>

type TranslationRequest = {
  /** What each cue says, and how long it is shown. */
  readonly cues: readonly {
    readonly text: string
    readonly startMs: number
    readonly endMs: number
  }[]
  readonly from: string
  readonly to: string
  readonly glossary: Readonly<Record<string, string>>
}

type Translated = {
  /** One for each cue, in order. */
  readonly texts: readonly string[]
  readonly warnings: readonly string[]
}

/** Subtitles of more than this cannot be read in their time. */
const charactersPerSecond = 20
const leastCharacters = 8
/** Enough that sentences keep their context, few enough that a model keeps the count. */
const cuesAtOnce = 15
/** If there was no answer for many cues, or one for other cues, it is asked again for few. */
const cuesAgain = 5
const atOnce = 3
/** A provider that leaves more questions without an answer is taken to be down. */
const mostLost = 3
const passing: readonly ProviderFaultKind[] = ['timed-out', 'busy', 'unreachable', 'unreadable']

/** Translates cues; those of which no usable translation came keep their text, and a warning names them. */
export async function translateCues(
  ask: AskModel,
  { cues, from, to, glossary }: TranslationRequest,
  signal: AbortSignal,
): Promise<Translated> {
  const wanted = cues.map(({ text, startMs, endMs }, id): CueText => ({
    ...{ id, text, at: startMs / 1000 },
    seconds: (endMs - startMs) / 1000,
    most: Math.max(leastCharacters, Math.floor(((endMs - startMs) / 1000) * charactersPerSecond)),
  }))
  const batches = Array.from({ length: Math.ceil(cues.length / cuesAtOnce) }, (_, i) =>
    wanted.slice(i * cuesAtOnce, (i + 1) * cuesAtOnce),
  )
  const about = { from, to, glossary }
  const lost: AnalysisFailure[] = []
  const chosen = await atMost(atOnce, batches, signal, async (batch, either) =>
    translateBatch(
      withLosses(async (question) => ask(question, either), lost),
      batch,
      about,
    ),
  )
  if (cues.length > 0 && chosen.flat().every(({ isTranslated }) => !isTranslated)) {
    throw (
      lost[0] ?? new AnalysisFailure('Not translated: the provider answered with no translation.')
    )
  }
  const told = fewWarnings(
    chosen.flat().flatMap(({ warning }) => warning ?? []),
    (count) => `${count} more cues are like that.`,
  )
  return {
    texts: chosen.flat().map(({ text }) => text),
    warnings: told.map((why) => `captions.translateTo (${to}): ${why}`),
  }
}

type Ask = (question: Question) => Promise<unknown>

/** The hundredth question may fail where the others are answered: it is then answered with its failure, rather than the film with none. */
function withLosses(ask: Ask, lost: AnalysisFailure[]): Ask {
  return async (question) => {
    try {
      return await ask(question)
    } catch (error) {
      if (!(error instanceof AnalysisFailure) || !isPassing(error)) throw error
      lost.push(error)
      if (lost.length > mostLost) throw error
      return error
    }
  }
}

const isPassing = ({ cause }: AnalysisFailure): boolean =>
  cause instanceof ProviderFault && passing.includes(cause.kind)

type About = Omit<TranslationRequest, 'cues'>
type Chosen = {
  readonly text: string
  readonly isTranslated: boolean
  readonly warning: string | undefined
}

async function translateBatch(
  ask: Ask,
  batch: readonly CueText[],
  about: About,
): Promise<Chosen[]> {
  const found = new Map<number, Candidate[]>()
  const unanswered = new Map<number, string>()
  const isJudged = ({ id }: CueText): boolean => found.has(id)
  const askFor = async (cues: readonly CueText[]): Promise<void> => {
    const wanted: Wanted = { ...about, cues, isAgain: cues.some(isJudged) }
    const content = await ask(writeQuestion(wanted))
    const answered = readTranslation(content, cues)
    for (const cue of cues) {
      if (!answered) {
        unanswered.set(cue.id, whyUnanswered(content))
        continue
      }
      const candidate = candidateOf(cue, answered.get(cue.id) ?? '', about.glossary)
      found.set(cue.id, [...(found.get(cue.id) ?? []), candidate])
    }
  }
  await askFor(batch)
  const isDone = ({ id }: CueText): boolean =>
    found.get(id)?.some(({ fault }) => fault === undefined) ?? false
  const again = batch.filter((cue) => !isDone(cue))
  const atATime = again.some(isJudged) ? cuesAtOnce : cuesAgain
  for (let at = 0; at < again.length; at += atATime) {
    await askFor(again.slice(at, at + atATime))
  }
  return batch.map((cue) => choose(cue, found.get(cue.id) ?? [], unanswered.get(cue.id)))
}

const whyUnanswered = (content: unknown): string =>
  content instanceof AnalysisFailure
    ? content.message
    : 'Not translated: no answer had one text for each cue.'

/** The best answer by its fault, and of several the shortest, never a suspicious one. */
function choose(
  cue: CueText,
  candidates: readonly Candidate[],
  whyNone: string | undefined,
): Chosen {
  const usable = candidates.filter(({ fault }) => fault !== 'suspicious')
  const [best] = usable.toSorted(
    (a, b) => rank(a) - rank(b) || [...a.text].length - [...b.text].length,
  )
  const where = `cue ${cue.id + 1}, at ${cue.at.toFixed(1)} s,`
  if (!best) {
    const warning =
      whyNone !== undefined && candidates.length === 0
        ? `${where} keeps its text. ${whyNone}`
        : `${where} is not translated: its answer was no translation of it.`
    return { text: cue.text, isTranslated: false, warning }
  }
  return { text: best.text, isTranslated: true, warning: faultOf(best, cue, where) }
}

function faultOf({ text, fault }: Candidate, { seconds }: CueText, where: string) {
  if (fault === 'term') return `${where} leaves out a term of the glossary.`
  if (fault === 'echo') return `${where} is the same in both languages.`
  if (fault !== 'long') return undefined
  const rate = Math.ceil([...text].length / Math.max(0.1, seconds))
  return `${where} has ${rate} characters a second; people read up to ${charactersPerSecond}.`
}

const ranks = { none: 0, long: 1, term: 2, echo: 3, suspicious: 4 } as const

const rank = ({ fault }: Candidate): number => ranks[fault ?? 'none']

import { z } from 'zod'

/** Whether a text says that somebody or something does something or is something. */
export type IsStatement = (text: string) => boolean

const terms = z.array(
  z.object({ terms: z.array(z.object({ text: z.string(), tags: z.array(z.string()) })) }),
)

/** Loads the grammar of English only where it is needed, because it takes some 40 MB. Other languages have none here. */
export async function loadGrammar(language: string): Promise<IsStatement | undefined> {
  if (language !== 'en') return undefined
  const { default: nlp } = await import('compromise')
  return (text) => {
    const parsed: unknown = nlp(text).terms().json()
    const words = terms.parse(parsed).flatMap((one) => one.terms)
    const is = (at: number, tag: string): boolean => words[at]?.tags.includes(tag) ?? false
    const verb = words.findIndex(
      (_, at) =>
        is(at, 'Verb') &&
        !is(at, 'Gerund') &&
        !(is(at, 'Infinitive') && words[at - 1]?.text.toLowerCase() === 'to'),
    )
    return words.slice(0, Math.max(0, verb)).some((_, at) => is(at, 'Noun') || is(at, 'Value'))
  }
}

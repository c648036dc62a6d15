import { unheardLanguage } from '../../worker/contract/video/transcript.ts'

/** Language names that models use but CLDR does not have. */
const otherNames: Record<string, string> = {
  cantonese: 'yue',
  castilian: 'es',
  farsi: 'fa',
  flemish: 'nl',
  haitian: 'ht',
  hawaiian: 'haw',
  letzeburgesch: 'lb',
  mandarin: 'zh',
  maori: 'mi',
  moldavian: 'ro',
  moldovan: 'ro',
  myanmar: 'my',
  nynorsk: 'no',
  panjabi: 'pa',
  pushto: 'ps',
  sinhalese: 'si',
  tagalog: 'tl',
  valencian: 'ca',
}

/** Codes that mean the same as another one, or that are more detailed than we need. */
const sameAs: Record<string, string> = {
  nb: 'no',
  nn: 'no',
  cmn: 'zh',
  iw: 'he',
  in: 'id',
  jw: 'jv',
  ji: 'yi',
  fil: 'tl',
}

const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

let codesByName: Map<string, string> | undefined

function codeOfName(name: string): string | undefined {
  codesByName ??= new Map(
    twoLetterCodes().flatMap((code) => {
      const known = english.of(code)
      return known === undefined ? [] : [[known.toLowerCase(), code] as const]
    }),
  )
  return otherNames[name] ?? codesByName.get(name)
}

function twoLetterCodes(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  return letters.flatMap((first) => letters.map((second) => first + second))
}

/** The code of a language, however a provider names it: `en`, `English`, `pt-BR`, `nb`. */
export function languageCode(named: string | null | undefined): string {
  const text = (named ?? '').trim().toLowerCase()
  const code = codeOfName(text) ?? canonical(text.split(/[-_]/)[0] ?? '')
  return code === undefined ? unheardLanguage : (sameAs[code] ?? code)
}

function canonical(tag: string): string | undefined {
  if (!/^[a-z]{2,3}$/.test(tag)) return undefined
  if (tag in sameAs) return tag
  const [code = tag] = Intl.getCanonicalLocales(tag)
  return /^[a-z]{2,3}$/.test(code) && english.of(code) !== undefined ? code : undefined
}

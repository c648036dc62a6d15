import { writeSrt, writeText, writeVtt } from '../../../worker/contract/captions/write-captions.ts'
import type { TranscriptFile, TranscriptFormat } from '../../../worker/contract/video/transcript.ts'
import type { Speech } from '../../timeline/speech.ts'
import { makeCaptions } from './make-captions.ts'
import { wholeText } from '../tidy-speech.ts'
import { whoSaid } from '../tell-speakers.ts'

/** ISO 639-2 of languages that are spoken in videos; containers want three letters. */
const threeLetters: Readonly<Record<string, string>> = {
  ...{ af: 'afr', am: 'amh', ar: 'ara', az: 'aze', be: 'bel', bg: 'bul', bn: 'ben', bs: 'bos' },
  ...{ ca: 'cat', cs: 'ces', cy: 'cym', da: 'dan', de: 'deu', el: 'ell', en: 'eng', es: 'spa' },
  ...{ et: 'est', eu: 'eus', fa: 'fas', fi: 'fin', fr: 'fra', ga: 'gle', gl: 'glg', gu: 'guj' },
  ...{ he: 'heb', hi: 'hin', hr: 'hrv', hu: 'hun', hy: 'hye', id: 'ind', is: 'isl', it: 'ita' },
  ...{ ja: 'jpn', ka: 'kat', kk: 'kaz', km: 'khm', kn: 'kan', ko: 'kor', lo: 'lao', lt: 'lit' },
  ...{ lv: 'lav', mk: 'mkd', ml: 'mal', mn: 'mon', mr: 'mar', ms: 'msa', my: 'mya', ne: 'nep' },
  ...{ nl: 'nld', no: 'nor', pa: 'pan', pl: 'pol', ps: 'pus', pt: 'por', ro: 'ron', ru: 'rus' },
  ...{ si: 'sin', sk: 'slk', sl: 'slv', so: 'som', sq: 'sqi', sr: 'srp', sv: 'swe', sw: 'swa' },
  ...{ ta: 'tam', te: 'tel', th: 'tha', tl: 'tgl', tr: 'tur', uk: 'ukr', ur: 'urd', uz: 'uzb' },
  ...{ vi: 'vie', yi: 'yid', zh: 'zho' },
}

/** The language of a track of captions; `und` if it is not known. */
export function captionLanguage(code: string): string {
  return threeLetters[code] ?? (code.length === 3 ? code : 'und')
}

/** Writes the transcript in every format. */
export async function writeTranscript(
  speech: Speech,
  durationSeconds: number,
): Promise<Record<TranscriptFormat, string>> {
  const captions = await makeCaptions(speech, durationSeconds)
  const text = wholeText(speech)
  const { language, confidence } = speech
  const segments = speech.segments.map(({ words, ...segment }) => ({
    ...segment,
    ...(words && { words: [...words] }),
  }))
  const file: TranscriptFile = {
    text,
    language,
    ...(confidence !== undefined && { confidence }),
    ...whoSaid(speech),
    segments,
  }
  return {
    json: JSON.stringify(file),
    txt: writeText(file),
    srt: writeSrt(captions),
    vtt: writeVtt(captions),
  }
}

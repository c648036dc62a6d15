import { type Caption, makeCaptions } from './make-captions.ts'
import type { TranscriptFile, TranscriptFormat } from '../../../worker/contract/video/transcript.ts'
import type { Speech, SpeechSegment } from '../../timeline/speech.ts'
import { textOf } from '../settle-speech.ts'
import { whoSaid } from '../tell-speakers.ts'

/** `00:01:02,345` */
function clock(ms: number, mark: ',' | '.'): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const seconds = Math.floor(ms / 1_000)
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${two(h)}:${two(m)}:${two(s)}${mark}${String(ms % 1_000).padStart(3, '0')}`
}

function timing({ startMs, endMs }: Caption, mark: ',' | '.'): string {
  return `${clock(startMs, mark)} --> ${clock(endMs, mark)}`
}

/** SRT cannot escape text: `-->` in a caption would look like a time, so another arrow replaces it. */
export function writeSrt(captions: readonly Caption[]): string {
  const blocks = captions.map((caption, i) => {
    const { speaker } = caption
    // SRT has no mark for a voice: the name stands where another one begins.
    const name = speaker === undefined || speaker === captions[i - 1]?.speaker ? '' : `${speaker}: `
    const lines = caption.lines.map((line, n) =>
      `${n === 0 ? name : ''}${line}`.replaceAll('-->', '→'),
    )
    return [String(i + 1), timing(caption, ','), ...lines, ''].join('\n')
  })
  // Never write an empty file: storage rejects one.
  return blocks.length > 0 ? blocks.join('\n') : '\n'
}

export function writeVtt(captions: readonly Caption[]): string {
  const blocks = captions.map((caption) =>
    [timing(caption, '.'), ...voiced(caption), ''].join('\n'),
  )
  return ['WEBVTT\n', ...blocks].join('\n')
}

/** The voice holds for the whole cue. */
function voiced({ lines, speaker }: Caption): string[] {
  const [first = '', ...others] = lines.map(escapeVtt)
  return [speaker === undefined ? first : `<v ${escapeVtt(speaker)}>${first}`, ...others]
}

function escapeVtt(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

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

/** A paragraph for each turn, with the name of its speaker; undefined if nobody told who speaks. */
function inTurns({ segments, ...speech }: Speech): string | undefined {
  if (segments.every(({ speaker }) => speaker === undefined)) return undefined
  const turns: SpeechSegment[][] = []
  for (const segment of segments) {
    if (turns.at(-1)?.[0]?.speaker === segment.speaker) turns.at(-1)?.push(segment)
    else turns.push([segment])
  }
  return turns
    .map((turn) => {
      const said = textOf({ ...speech, segments: turn })
      const name = turn[0]?.speaker
      return name === undefined ? said : `${name}: ${said}`
    })
    .join('\n\n')
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
  const text = textOf(speech)
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
    txt: `${inTurns(speech) ?? text}\n`,
    srt: writeSrt(captions),
    vtt: writeVtt(captions),
  }
}

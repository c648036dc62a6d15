import { unheardLanguage } from '../../../worker/contract/video/transcript.ts'
import { cleanLine, isRightToLeft, lettersOf } from '../../text/clean-text.ts'
import { splitByFont } from '../../text/split-by-font.ts'
import { directBrackets } from '../../text/direct-brackets.ts'
import type { SetCaption, SetLine } from '../../text/caption-track.ts'
import type { Lettering } from '../../text/font-shelf.ts'
import { changeSaid, type Speech } from '../../timeline/speech.ts'
import {
  breakWords,
  type LineRule,
  captionSpan,
} from '../../../worker/contract/captions/caption-lines.ts'
import {
  captionWords,
  shareTime,
  type CaptionWord,
} from '../../../worker/contract/captions/caption-words.ts'
import { groupWords } from '../../../worker/contract/captions/group-words.ts'
import { runWithPauses } from './make-captions.ts'
import { unspacedScript } from '../../text/lay-out-text.ts'

type CaptionSetting = {
  readonly lettering: Lettering
  readonly fontSize: number
  readonly maxWidth: number
  readonly maxLines: number
  readonly durationSeconds: number
  /** Whether each segment is a caption of its own, shown exactly as long as it says. */
  readonly isCues: boolean
}

/** The words of captions as they are drawn. */
export function wordsToDraw(speech: Speech, isUppercase: boolean): Speech {
  const draw = (text: string): string => {
    const plain = cleanLine(text)
    return isUppercase ? plain.toLocaleUpperCase(speech.language) : plain
  }
  return changeSaid(speech, (said) => ({ ...said, text: draw(said.text) }))
}

/** Sets speech as captions of few lines that are not wider than allowed, broken at phrases. */
export async function setCaptions(speech: Speech, setting: CaptionSetting) {
  const missing = new Set<string>()
  const rule = measuredLines(setting, missing)
  const wordsOf = (part: Speech): CaptionWord[] =>
    captionWords(part).flatMap((word) => cutWide(word, rule))
  if (!setting.isCues) {
    const groups = await runWithPauses(groupWords(wordsOf(speech), rule))
    const captions = groups.map((words, i) =>
      setOne(words, captionSpan(words, groups[i + 1]?.[0], setting.durationSeconds), {
        rule,
        setting,
      }),
    )
    return { captions, missing: [...missing] }
  }
  const captions: SetCaption[] = []
  for (const segment of speech.segments) {
    // Its script says whether it has blanks between words, whatever the language of the file is.
    const language = unspacedScript.test(segment.text) ? speech.language : unheardLanguage
    const groups = await runWithPauses(
      groupWords(wordsOf({ ...speech, language, segments: [segment] }), rule),
    )
    for (const [i, words] of groups.entries()) {
      const startTime = i === 0 ? segment.startTime : (words[0]?.startTime ?? segment.startTime)
      const endTime = groups[i + 1]?.[0]?.startTime ?? segment.endTime
      captions.push(setOne(words, { startTime, endTime }, { rule, setting }))
    }
  }
  return { captions, missing: [...missing] }
}

type Rule = LineRule & {
  piece(word: CaptionWord, beginsLine: boolean): ReturnType<typeof splitByFont>
}

function measuredLines(setting: CaptionSetting, missing: Set<string>): Rule {
  const { lettering, fontSize, maxWidth, maxLines } = setting
  const known = new Map<string, ReturnType<typeof splitByFont>>()
  const piece: Rule['piece'] = ({ text, spaced }, beginsLine) => {
    const drawn = spaced && !beginsLine ? ` ${text}` : text
    const found = known.get(drawn) ?? splitByFont(drawn, lettering)
    known.set(drawn, found)
    for (const letter of found.missing) missing.add(letter)
    return found
  }
  const widthOf = (word: CaptionWord, beginsLine: boolean): number =>
    piece(word, beginsLine).width * fontSize
  return { maxLines, maxWidth, piece, widthOf }
}

/** A word that is wider than a line is broken between letters, which share its time. */
function cutWide(word: CaptionWord, rule: Rule): CaptionWord[] {
  if (rule.widthOf(word, true) <= rule.maxWidth) return [word]
  const parts: string[] = []
  for (const letter of lettersOf(word.text)) {
    const grown = (parts.at(-1) ?? '') + letter
    const fits = rule.widthOf({ ...word, text: grown }, true) <= rule.maxWidth
    if (parts.length > 0 && fits) parts[parts.length - 1] = grown
    else parts.push(letter)
  }
  return shareTime(word, parts).map((part, i) => ({
    ...part,
    ...{ opens: i === 0 && word.opens, spaced: i === 0 && word.spaced },
    ends: i === parts.length - 1 && word.ends,
  }))
}

function setOne(
  words: readonly CaptionWord[],
  span: ReturnType<typeof captionSpan>,
  { rule, setting }: { rule: Rule; setting: CaptionSetting },
): SetCaption {
  const direction = { isRightToLeft: isRightToLeft(words.map((w) => w.text).join(' ')) }
  const lines = (breakWords(words, rule) ?? [[...words]]).map((line): SetLine => {
    const pieces = line.map((word, i) => rule.piece(word, i === 0))
    const timed = line.map(({ startTime, endTime }, i) => ({
      ...{ runs: pieces[i]?.runs ?? [], startTime, endTime },
    }))
    return {
      width: pieces.reduce((sum, piece) => sum + piece.width, 0) * setting.fontSize,
      words: directBrackets(timed, direction),
    }
  })
  const shown = lines.filter((line) => line.words.some(({ runs }) => runs.length > 0))
  return { ...span, lines: shown, ...direction, speaker: words[0]?.speaker }
}

import { z } from 'zod'
import { readCaptionFile } from './read-caption-file.ts'
import { closedObject } from '../../input/closed-object.ts'
import { length, percentage } from '../elements/element-fields.ts'
import { font } from './fonts.ts'
import { longLetterRule, tooLongLetter } from './letters.ts'
import { limits } from '../../limits.ts'
import { captionUrl } from '../media-url.ts'
import { textColor } from '../elements/text-element.ts'
import { seconds } from '../time.ts'
import { languageCode } from '../../video/transcript.ts'
import { worded } from '../../answers/wording.ts'
import { upperFirst } from '../../upper-first.ts'
import { textUpTo, wellFormed } from '../../input/text.ts'

const captionStyles = ['plain', 'box', 'karaoke'] as const
const captionPlaces = ['bottom', 'middle', 'top'] as const

export const captionWord = worded(
  closedObject({
    text: textUpTo(limits.captionWordLength)
      .min(1, 'Must not be empty')
      .refine((value) => tooLongLetter(value) === undefined, longLetterRule)
      .describe('The word, with its punctuation'),
    startTime: seconds.describe('Second at which the word begins'),
    endTime: seconds.describe('Second at which the word ends'),
  }).refine(({ startTime, endTime }) => endTime >= startTime, {
    path: ['endTime'],
    message: 'Must not be before startTime',
  }),
  'an object such as {"text": "Hello,", "startTime": 0.5, "endTime": 0.9}',
)

const exampleSource = '{"url": "https://example.com/talk.srt"}'

/** Captions of the customer's own, in one of three forms. */
export const captionSource = worded(
  closedObject({
    url: captionUrl.optional().describe('Address of an SRT or VTT file, or of a word list as JSON'),
    text: textUpTo(limits.captionTextLength)
      .min(1, 'Must not be empty')
      .superRefine((value, context) => {
        const read = readCaptionFile(value)
        if (!read.ok) context.addIssue({ code: 'custom', message: upperFirst(read.fault) })
      })
      .optional()
      .describe('The text of an SRT or VTT file'),
    words: worded(
      z
        .array(captionWord)
        .min(1, 'Must name at least one word')
        .max(limits.captionWords, `At most ${limits.captionWords} words; send more by url`),
      'a list such as [{"text": "Hello,", "startTime": 0.5, "endTime": 0.9}]',
    )
      .optional()
      .describe('Every word with its time'),
  })
    .refine((source) => Object.values(source).filter((one) => one !== undefined).length === 1, {
      message: 'Give exactly one of url, text and words',
    })
    .meta({ minProperties: 1, maxProperties: 1 }),
  `an object such as ${exampleSource}`,
)

const place = z.union([z.enum(captionPlaces), closedObject({ y: percentage })], {
  error: () => 'Must be bottom, middle, top, or an object such as {"y": "70%"}',
})

const maxLines = 4

/** Languages into which captions are translated. */
const languages = worded(
  z
    .array(worded(languageCode, 'a code such as "es"'))
    .min(1, 'Must name at least one language')
    .max(limits.translations, `At most ${limits.translations} languages`)
    .refine((codes) => new Set(codes).size === codes.length, 'Must name each language once'),
  'a list such as ["es"]',
)

const term = textUpTo(limits.glossaryLength)
  .refine((text) => text.trim() !== '', 'Must not be blank')
  .refine(...wellFormed)

const glossary = worded(
  z
    .record(term, term)
    .refine(
      (terms) => Object.keys(terms).length <= limits.glossaryTerms,
      `At most ${limits.glossaryTerms} terms`,
    ),
  'an object such as {"Spool": "Spool"}',
)

export const captions = worded(
  closedObject({
    burn: z
      .boolean()
      .optional()
      .describe('Draw them on the picture; on when absent, unless embed is on'),
    embed: z
      .boolean()
      .optional()
      .describe('Add a track to the file, which players can show or hide; off when absent'),
    source: captionSource
      .optional()
      .describe('Your own captions, in the times of the source; what is heard when absent'),
    language: languageCode
      .optional()
      .describe('Code such as "en"; when absent, that of the speech that is heard'),
    translateTo: languages
      .optional()
      .describe('Languages into which they are translated, by the provider of the service'),
    glossary: glossary
      .optional()
      .describe('What terms become in every translation, such as names that stay'),
    burnLanguage: languageCode
      .optional()
      .describe('Which of translateTo is drawn on the picture; what is said when absent'),
    style: z
      .enum(captionStyles)
      .optional()
      .describe(
        'plain: letters with an outline; box: on a box; karaoke: highlights the word being said. plain when absent',
      ),
    position: place
      .optional()
      .describe('bottom, middle, top, or where the middle of the text is; bottom when absent'),
    font: font.optional().describe('Inter Bold when absent'),
    size: length
      .optional()
      .describe('Of the font: pixels, or % of the frame height; fits the frame when absent'),
    color: textColor.optional().describe('Colour of the letters; #FFFFFF when absent'),
    highlight: textColor
      .optional()
      .describe('Colour of the word being said; #FFE100 in karaoke when absent, else none'),
    background: textColor
      .optional()
      .describe('Colour of the box; #000000C0 in box when absent, else none'),
    colorBySpeaker: z
      .boolean()
      .optional()
      .describe('Letters in another colour for each speaker, on what is heard; off when absent'),
    maxLines: worded(
      z
        .int()
        .min(1, `Must be from 1 to ${maxLines}`)
        .max(maxLines, `Must be from 1 to ${maxLines}`),
      `a whole number from 1 to ${maxLines}`,
    )
      .optional()
      .describe('2 when absent'),
    uppercase: z.boolean().optional().describe('Off when absent'),
  })
    .refine(
      ({ burn, embed, translateTo }) =>
        burn !== false || embed === true || translateTo !== undefined,
      {
        path: ['burn'],
        message: 'Must not be false unless embed is true, or translateTo is given',
      },
    )
    .refine(
      ({ translateTo, glossary: terms }) => translateTo !== undefined || terms === undefined,
      {
        path: ['glossary'],
        message: 'Needs translateTo, whose translations it is for',
      },
    )
    .refine(
      ({ translateTo = [], burnLanguage }) =>
        burnLanguage === undefined || translateTo.includes(burnLanguage),
      { path: ['burnLanguage'], message: 'Must be one of translateTo' },
    )
    .refine(({ colorBySpeaker, source }) => colorBySpeaker !== true || source === undefined, {
      path: ['colorBySpeaker'],
      message: 'Only captions of what is heard have speakers: leave out source',
    }),
  'an object such as {"style": "karaoke"}',
)

export type Captions = z.infer<typeof captions>
export type CaptionSource = z.infer<typeof captionSource>

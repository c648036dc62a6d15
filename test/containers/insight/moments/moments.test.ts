import { describe, expect, it } from 'vitest'
import { findChapters } from '../../../../containers/insight/moments/find-chapters.ts'
import { loadGrammar } from '../../../../containers/insight/moments/grammar.ts'
import { sentencesOf } from '../../../../containers/insight/moments/sentences.ts'
import { suggestClips } from '../../../../containers/insight/moments/suggest-clips.ts'
import type { ClipsAsked } from '../../../../worker/contract/options/moments.ts'
import { talkOf } from '../../../../containers/insight/moments/talk.ts'
import type { Speech } from '../../../../containers/timeline/speech.ts'
import { timedTalk } from '../../../support/containers/sound/timed-talk.ts'

const bakery = [
  'We opened the bakery in a small street behind the harbour.',
  'Every morning the ovens are lit at four, and the bread has to rest before that.',
  'Good bread needs patience, because the dough rises slowly in a cold kitchen.',
  'When the dough is ready, the bakery smells of bread and the ovens are hot.',
]
const prices = [
  'How do you find the right price for a product?',
  'Our pricing was wrong for two years, and customers told us so in Lisbon.',
  'When we raised prices by 40 percent, not a single customer left.',
  'A price tells customers what you think of the product yourself.',
]
const mountains = [
  'In summer I walk in the mountains with a tent and a map.',
  'The weather in the mountains changes quickly, so a tent has to be light and strong.',
  'From the summit you see the valley, the glacier and the tent below.',
  'One storm took the tent, and we climbed down from the summit by night.',
]
const talk = timedTalk([...bakery, 1.5, ...prices, 1.2, ...mountains])
const seconds = (talk.segments.at(-1)?.endTime ?? 0) + 2
const usual: ClipsAsked = { count: 3, minDuration: 8, maxDuration: 25, about: '' }

const clipsOf = async (speech: Speech, asked: ClipsAsked) =>
  suggestClips(talkOf(sentencesOf(speech), speech.language), asked, seconds)
const startOf = (text: string) =>
  talk.segments.find((segment) => segment.text === text)?.startTime ?? Number.NaN

describe('sentencesOf', () => {
  const texts = (speech: Speech) => sentencesOf(speech).map(({ text }) => text)

  it('ends sentences at their marks, also where the words of a provider have none', () => {
    const bare = timedTalk(['it was late we left doctor dr who and gov hunt came'])
    const text = 'It was late. We left! "Doctor?" Dr. Who and Gov. Hunt came'
    const speech = { ...bare, segments: bare.segments.map((segment) => ({ ...segment, text })) }
    expect(texts(speech)).toEqual([
      'It was late.',
      'We left!',
      '"Doctor?"',
      'Dr. Who and Gov. Hunt came',
    ])
  })

  it('ends none behind the number of a day in German, which English writes without a stop', () => {
    const said = ['Wir öffneten am 3. Oktober mit Dr. Weiß bzw. seinem Sohn.', 'Es waren 3.']
    const one = timedTalk(said)
    expect(texts({ ...one, language: 'de' })).toEqual(said)
    expect(texts({ ...one, language: 'en' })[0]).toBe('Wir öffneten am 3.')
  })

  it('ends one without a mark where another one begins behind a pause, or somebody else begins', () => {
    const parts = [
      'We bake at night',
      0.9,
      'Which bread is best?',
      'We met',
      0.9,
      'I think in May.',
    ]
    expect(texts(timedTalk(parts))).toEqual([
      'We bake at night',
      'Which bread is best?',
      'We met I think in May.',
    ])
    const [answer, question] = timedTalk(['it was late', 'why did you bake?']).segments
    const segments = [
      { ...answer, speaker: 'Anna' },
      { ...question, speaker: 'Ben' },
    ] as Speech['segments']
    expect(texts({ language: 'en', segments })).toEqual(['it was late', 'why did you bake?'])
  })

  it('goes on behind the stop of a piece, where nobody pauses', () => {
    const parts = ['We met in Valley Falls.', 0, 'Road Island was far.', 'It rained.', 'We left.']
    expect(texts(timedTalk(parts))).toEqual([
      'We met in Valley Falls Road Island was far.',
      'It rained.',
      'We left.',
    ])
    // Some providers tell of no pauses.
    const unpaused = parts.flatMap((part) => [0, part])
    expect(texts(timedTalk(unpaused))).toHaveLength(4)
  })

  it('goes by capitals behind pauses where nothing is marked but some are written', () => {
    const parts = ['And so my friends', 1.3, 'Ask not', 1.1, 'what we can do for you']
    expect(texts(timedTalk(parts))).toEqual(['And so my friends', 'Ask not what we can do for you'])
  })

  it('goes by pauses where nothing is marked, and parts no segment without word times', () => {
    expect(texts(timedTalk(['so we', 0.2, 'went home', 0.9, 'and slept']))).toEqual([
      'so we went home',
      'and slept',
    ])
    const untimed = { startTime: 0, endTime: 4, text: 'One. Two' }
    const rest = { startTime: 4, endTime: 5, text: 'three.' }
    expect(sentencesOf({ language: 'en', segments: [untimed, rest] })).toMatchObject([
      { startTime: 0, endTime: 5, text: 'One. Two three.' },
    ])
  })
})

describe('suggestClips', () => {
  it('ends before a question that it does not answer and before the next subject, and gives names whole', async () => {
    const [first = '', second = '', ...others] = bakery
    const baker =
      "Let's say the bakery belonged to Maria McNovak, and then, let's see, it was ours."
    const next = 'Now let us talk about the mountains and the weather.'
    const asked = 'Why does nobody bake bread in the mountains?'
    const told = timedTalk([baker, first, second, asked, ...others, next, ...mountains])
    const clips = await clipsOf(told, { ...usual, minDuration: 10, maxDuration: 40 })
    expect(clips.length).toBeGreaterThan(1)
    expect(clips.flatMap(({ reasons }) => reasons)).toContain('names "Maria McNovak"')
    expect(clips.flatMap(({ reasons }) => reasons).join()).not.toContain('says "let')
    const { sentences } = talkOf(sentencesOf(told), 'en')
    for (const { startTime, endTime } of clips) {
      const said = sentences.filter((one) => one.startTime >= startTime && one.endTime <= endTime)
      expect(said.at(-1)?.text).not.toBe(asked)
      expect(said.slice(1).map(({ text }) => text)).not.toContain(next)
    }
  })

  it('begins and ends with sentences, in the pauses around them, and takes no sentence twice', async () => {
    const clips = await clipsOf(talk, usual)
    expect(clips).toHaveLength(3)
    const words = talk.segments.flatMap((segment) => segment.words ?? [])
    for (const [i, clip] of clips.entries()) {
      const length = clip.endTime - clip.startTime
      expect(length).toBeGreaterThanOrEqual(usual.minDuration)
      expect(length).toBeLessThanOrEqual(usual.maxDuration)
      expect(clip.startTime).toBeGreaterThanOrEqual(clips[i - 1]?.endTime ?? 0)
      for (const edge of [clip.startTime, clip.endTime]) {
        expect(words.filter((word) => word.startTime < edge && edge < word.endTime)).toEqual([])
      }
      const within = words.filter(
        (word) => word.startTime >= clip.startTime && word.endTime <= clip.endTime,
      )
      expect(within[0]?.text).toMatch(/^\p{Lu}/u)
      expect(within.at(-1)?.text).toMatch(/[.?]$/)
    }
  })

  it('says why, and names the clip after the question that it begins with', async () => {
    const clips = await clipsOf(talk, usual)
    const [best] = clips.toSorted((a, b) => b.score - a.score)
    expect(best).toMatchObject({
      startTime: expect.closeTo(startOf(prices[0] ?? '') - 0.15, 2) as number,
      title: 'How do you find the right price for a product?',
    })
    expect(best?.reasons).toEqual(
      expect.arrayContaining([
        'begins with a question',
        'begins where the subject changes',
        'begins after a pause',
        'names "Lisbon"',
        'gives a number: "40 percent"',
      ]),
    )
  })

  it('tells a number with all its words, takes no weekday for a name, and leaves a beginning such as "so" out of titles', async () => {
    const told = timedTalk([
      'So on Monday the baker Novak bought an oven for ninety thousand pounds.',
      'We were glad of it then.',
      'So it was.',
    ])
    const [clip] = await clipsOf(told, { ...usual, count: 1, minDuration: 4, maxDuration: 12 })
    expect(clip?.title).toBe('On Monday the baker Novak bought an oven for ninety thousand pounds')
    expect(clip?.reasons).toEqual(
      expect.arrayContaining(['names "Novak"', 'gives a number: "ninety thousand"']),
    )
  })

  it.each([
    ['The bridge took two hundred and forty people to build.', 'two hundred and forty'],
    ['It was in 2019 that three of us came to the harbour.', '2019'],
    ['It was 1998 two years after the storm.', '1998'],
    ['Half a million people came, and a few stayed.', 'Half a million'],
    ['At this point 40 percent of them had left the town.', '40 percent'],
    ['On the 21st of May it cost hundreds of billions of crowns.', 'hundreds of billions'],
    ['The bridge cost $2 trillion in the end.', '$2 trillion'],
  ])('tells of "%s" the number and nothing beside it', async (sentence, number) => {
    const [clip] = await clipsOf(timedTalk([sentence, 'Nobody knew of it then.']), {
      ...{ ...usual, count: 1, minDuration: 2, maxDuration: 12 },
    })
    expect(clip?.reasons).toContain(`gives a number: "${number}"`)
  })

  it.each([
    ['en', 'No one in the town knew the answer?', 'No one in the town knew the answer?'],
    ['en', 'But right after lunch we left the harbour?', 'Right after lunch we left the harbour?'],
    ['en', 'So far the ovens are cold?', 'So far the ovens are cold?'],
    ['en', 'Well, so the ovens are cold?', 'The ovens are cold?'],
    ['es', 'No puedo ir a la montaña?', 'No puedo ir a la montaña?'],
  ])(
    'leaves out of a title in %s no word that changes what it says: %s',
    async (language, said, title) => {
      const told = { ...timedTalk([said, 'The baker was there.']), language }
      const [clip] = await clipsOf(told, { ...usual, count: 1, minDuration: 2, maxDuration: 12 })
      expect(clip?.title).toBe(title)
    },
  )

  it('is named by a whole sentence of its own where it begins with a question that only leads on', async () => {
    const told = timedTalk([
      'What are we to do about it?',
      'For those who doubt that a town needs patience with its harbour, with its bridges, I ask: how long?',
      'On the old bridge, near Lisbon, with lanterns and flags, the fishermen mend the nets of the harbour.',
      'The town has never closed its harbour.',
    ])
    const says = await loadGrammar('en')
    const own = talkOf(sentencesOf(told), 'en', says)
    const [clip] = await suggestClips(own, { ...usual, count: 1, maxDuration: 60 }, seconds)
    expect(clip?.reasons).toContain('begins with a question')
    expect(clip?.title).toMatch(/^The (?:town|fishermen) [^…]+$/)
  })

  it('is not named after two words that stand before a comma', async () => {
    const told = timedTalk(['Last autumn, we were all there to see it.', 'It was very cold.'])
    const [clip] = await clipsOf(told, { ...usual, count: 1, minDuration: 3 })
    expect(clip?.title).not.toBe('Last autumn')
  })

  it('with a subject suggests only what names it, in whatever form', async () => {
    const clips = await clipsOf(talk, { ...usual, maxDuration: 14, about: 'the storms' })
    expect(clips).toHaveLength(1)
    expect(clips[0]?.reasons).toContain('names "storm"')
    expect(clips[0]?.endTime).toBeGreaterThan(startOf(mountains[3] ?? ''))
    expect(await clipsOf(talk, { ...usual, about: 'submarines' })).toEqual([])
  })

  it('rather takes a clip that begins and ends with sentences than one that another goes on with', async () => {
    const rest = 'which nobody had ever counted in the harbour'
    const told = timedTalk([
      ...bakery,
      'The 400 boats were paid for by fishermen',
      2.1,
      rest,
      2,
      ...mountains,
    ])
    for (const { startTime, endTime } of await clipsOf(told, { ...usual, count: 5 })) {
      const edges = told.segments.filter(({ text }) => text.startsWith('The 400') || text === rest)
      const [before, after] = edges
      expect(startTime).not.toBeCloseTo((after?.startTime ?? 0) - 0.15, 1)
      expect(endTime).not.toBeCloseTo((before?.endTime ?? 0) + 0.35, 1)
    }
  })

  it('suggests nothing where no whole sentences fit', async () => {
    expect(await clipsOf(talk, { ...usual, minDuration: 1, maxDuration: 2 })).toEqual([])
  })
})

describe('findChapters', () => {
  it('begins a chapter at the sentence with which the subject changes', () => {
    const found = findChapters(talkOf(sentencesOf(talk), 'en'))
    expect(found.map(({ startTime }) => startTime)).toEqual([
      0,
      expect.closeTo(startOf(prices[0] ?? ''), 2),
      expect.closeTo(startOf(mountains[0] ?? ''), 2),
    ])
    expect(found.map(({ title }) => title)).toEqual([
      'The dough rises slowly in a cold kitchen',
      'Our pricing was wrong for two years',
      'The weather in the mountains changes quickly',
    ])
  })

  const nothing = ['It was what it was.', 'We did what we could.', 'It is like that.']
  it.each([
    { sign: 'a longer pause', pause: 2.2, word: '', other: undefined },
    { sign: 'another voice', pause: 0.4, word: '', other: 'Ben' },
    { sign: 'how it begins', pause: 0.4, word: 'Now, ', other: undefined },
  ])('lets $sign tell which of several sentences begins a subject', ({ pause, word, other }) => {
    const [first = '', second = '', third = ''] = nothing
    const next = `${word}${second}`
    const told = timedTalk([...bakery, first, pause, next, third, ...mountains])
    const at = told.segments.findIndex(({ text }) => text === next)
    const segments = told.segments.map((segment, i) =>
      other === undefined ? segment : { ...segment, speaker: i < at ? 'Anna' : other },
    )
    const found = findChapters(talkOf(sentencesOf({ ...told, segments }), 'en'))
    expect(found.map(({ startTime }) => startTime)).toEqual([
      0,
      expect.closeTo(told.segments[at]?.startTime ?? 0, 2),
    ])
  })

  it('finds at most 24 chapters in hours, at least ten seconds apart', () => {
    const subjects = Array.from({ length: 60 }, (_, n) => {
      const word = `subject${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}`
      return [3, ...Array.from({ length: 12 }, (__, i) => `The ${word} had number${i} of ${word}.`)]
    })
    const found = findChapters(talkOf(sentencesOf(timedTalk(subjects.flat())), 'en'))
    expect(found.length).toBeGreaterThan(8)
    expect(found.length).toBeLessThanOrEqual(24)
    for (const [i, { startTime }] of found.entries()) {
      expect(startTime - (found[i - 1]?.startTime ?? -10)).toBeGreaterThanOrEqual(10)
    }
  })

  it.each([
    ["Okay, let's talk about prices, because we charge eight pounds for a loaf.", 'Prices'],
    ['One thing that nobody tells you about is slugs.', 'Slugs'],
    ['And that brings me to the water.', 'Water'],
    ['The next step is the army of volunteers, who own nothing.', 'Army of volunteers'],
    ['They laughed, so how did you find the price?', 'How did you find the price?'],
  ])('names a chapter by what is announced or asked: %s', (said, title) => {
    const chapters = findChapters(talkOf(sentencesOf(timedTalk([said])), 'en'))
    expect(chapters.map((chapter) => chapter.title)).toEqual([title])
  })

  it.each(['On the harbour of Lisbon', 'Large lanterns for poor harbour students'])(
    'names no chapter after a part of a sentence in which nobody does anything: %s',
    async (part) => {
      const told = timedTalk([`${part}, while the ministers waited.`])
      const own = talkOf(sentencesOf(told), 'en', await loadGrammar('en'))
      expect(findChapters(own).map(({ title }) => title)).toEqual(['The ministers waited'])
    },
  )

  it.each([
    'In the last year of the war the captain moved west, settling on the land grants of the harbour.',
    'It waited, whether dreaming of land or harbours.',
    'The war, as all of us know, produced further relief for the land and its harbour.',
    'The rest, as all of us know, may well be beyond the land and its harbour.',
  ])('names no chapter after what hangs on the rest of its sentence: %s', async (said) => {
    const told = timedTalk([said, 'The land was there, and the harbour too.'])
    const own = talkOf(sentencesOf(told), 'en', await loadGrammar('en'))
    expect(findChapters(own)[0]?.title).toBe('The land was there')
  })

  it('cuts no title at the stop of a short form', async () => {
    const told = timedTalk(['The harbour asked Mrs. Miller for lanterns.'])
    const own = talkOf(sentencesOf(told), 'en', await loadGrammar('en'))
    expect(findChapters(own)[0]?.title).toBe('The harbour asked Mrs. Miller for lanterns')
  })

  it.each(['Needs the large lanterns of the harbour', 'Lanterns of the harbour do the same'])(
    'names no chapter after a sentence without a subject, or one that means what was said before: %s',
    async (said) => {
      const told = timedTalk([`${said}.`, 'Students of the harbour carry lanterns.'])
      const own = talkOf(sentencesOf(told), 'en', await loadGrammar('en'))
      const [chapter] = findChapters(own)
      expect(chapter?.title).toBe('Students of the harbour carry lanterns')
    },
  )

  it.each([
    {
      language: 'de',
      said: [
        'Und dann schlagen sie dreißig Prozent auf, weil alle es tun.',
        'Seit zwei Jahren rechnen die Bäcker anders, und die Kunden kommen gern.',
      ],
      title: 'Seit zwei Jahren rechnen die Bäcker anders…',
    },
    {
      language: 'pl',
      said: [
        'Dzień dobry, dzisiaj chleb i ceny.',
        'Większość piekarzy dodaje koszty mąki, prądu i czynszu, a potem dolicza trzydzieści procent.',
      ],
      title: 'Większość piekarzy dodaje koszty mąki, prądu i czynszu…',
    },
  ])(
    'names a chapter in $language by a sentence from its beginning, and says where more follows',
    ({ language, said, title }) => {
      const chapters = findChapters(talkOf(sentencesOf(timedTalk(said)), language))
      expect(chapters).toEqual([{ startTime: 0, title }])
    },
  )

  it('makes one chapter of a talk too short for two, and none of silence', () => {
    const short = timedTalk(bakery.slice(0, 1))
    expect(findChapters(talkOf(sentencesOf(short), 'en'))).toEqual([
      { startTime: 0, title: 'We opened the bakery in a small street behind the harbour' },
    ])
    expect(findChapters(talkOf([], 'en'))).toEqual([])
  })
})

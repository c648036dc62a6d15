import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseCreateVideo } from '../../../worker/contract/options/create-video.ts'
import {
  arrivalPace,
  endpointsPerAccount,
  keysPerAccount,
  invitationsPerAccount,
  limits,
  batchLimits,
  presetLimits,
  templateLimits,
  signInLimits,
  uploadLimits,
  webhookLimits,
} from '../../../worker/contract/limits.ts'
import { listQuery } from '../../../worker/contract/video/list-videos.ts'
import { passwordLengths } from '../../../worker/contract/people/people.ts'
import { parseJsonBody } from '../../../worker/contract/input/read-json.ts'
import { defaultWebhookSchedule } from '../../../worker/contract/webhooks/webhook-schedule.ts'
import { dashboardReads } from '../../../worker/service/limits/rate-lane.ts'

type Limit = keyof typeof limits

/** The row of docs/limits.md that publishes each limit. */
const rows: Record<Limit, string> = {
  files: 'Entries in `files`',
  elements: 'Entries in `elements`',
  outputs: 'Entries in `outputs`',
  destinations: 'Entries in `destinations`',
  outputSide: '`width` and `height` of an output, in pixels',
  outputFps: '`fps` of an output, in pictures a second',
  outputBytes: '`maxBytes` of an output',
  outputBitrate: '`maxBitrate` of an output, in bits a second',
  hlsHeights: '`heights` of an HLS output',
  hlsHeight: 'Each of its `heights`, in pixels',
  hlsFps: '`fps` of an HLS output, in pictures a second',
  outputSeconds: 'Seconds in `startTime`, `duration`, `times` and `interval`',
  movingSeconds: '`duration` in `gif` or `webp`, in seconds',
  movingSide: '`width` and `height` in `gif` or `webp`, in pixels',
  movingFps: '`fps` in `gif` or `webp`, in pictures a second',
  stills: '`times` of an output in `jpg` or `png`',
  spriteSide: '`width` and `height` in `sprite`, in pixels',
  spritePictures: 'Pictures of an output in `sprite`',
  transitionSeconds: '`duration` of a transition, in seconds',
  reframeScenes: 'Entries in `scenes` of `reframe`',
  removeSegments:
    'Entries in `removeSegments` and in `keepSegments`, of the request and of each file',
  phrases: 'Entries in `removeText` and in `keepText`',
  phraseLength: 'Characters of each of them',
  bleepWords: 'Entries in `bleep`',
  bleepLength: 'Characters of each entry in `bleep`',
  translations: 'Entries in `captions.translateTo`',
  glossaryTerms: 'Terms in `captions.glossary`',
  glossaryLength: 'Characters of each term and of its translation',
  vocabulary: 'Entries in `vocabulary`',
  vocabularyLength: 'Characters of one of them',
  suggestedClips: '`suggestClips.count`',
  clipSeconds: '`minDuration` and `maxDuration` in `suggestClips`, in seconds',
  aboutLength: 'Characters of `suggestClips.about`',
  speakers: 'Speakers that are told apart, and entries in `keepSpeakers` and `removeSpeakers`',
  speakerNameLength: 'Characters of the name of a speaker',
  videoNameLength: '`videoName`',
  urlLength: 'Any URL',
  commentLength: '`comment` of an element',
  metadataBytes: '`metadata`',
  elementPixels: '`width` and `height` of an element, in pixels',
  elementPercent: '`width` and `height` of an element, in % of the frame',
  textLength: '`text` of an element',
  captionTextLength: '`captions.source.text`',
  captionWords: 'Entries in `captions.source.words`',
  captionWordLength: '`text` of one of them',
  volume: '`volume` of an element',
  duckDb: '`duck.amount` of an element, in decibels',
  jsonBodyBytes: 'JSON body',
  jsonDepth: 'Nesting of JSON',
  jsonValues: 'Values in JSON, on all levels together',
  reportedFaults: 'Faults that one answer reports',
  reportedFaultChars: 'Characters of all faults that one answer reports',
  listPageSize: 'Videos on a page of a list',
  listPageSizeDefault: 'Videos on a page of a list, when `limit` is absent',
  listPageBytes: 'JSON of a page of a list, after which it ends',
  idempotencyKeyLength: '`Idempotency-Key`',
  formParts: 'Parts of a form',
  formTextBytes: 'Text of all fields of a form',
  partHeaderBytes: 'Headers of one part of a form',
}

const bytesOf = (count: number, of = '') => `${count.toLocaleString('en')} bytes${of}`
const secondsOf = (ms: number) => `${ms / 1000} seconds`
const triesOf = ({ attempts, windowMs }: { attempts: number; windowMs: number }) =>
  `${attempts} in ${(windowMs / 60_000).toLocaleString('en')} minutes`

const { passwords, resets, signUps } = signInLimits

/** The rows of all limits that are not in `limits`, with their values. */
const others: Readonly<Record<string, string | number>> = {
  [`Time in which each ${bytesOf(arrivalPace.bytes)} of a body have to arrive`]: secondsOf(
    arrivalPace.withinMs,
  ),
  'Memory of all forms that arrive in one isolate': bytesOf(uploadLimits.memoryBytes),
  'Time that a form waits for its share of it': secondsOf(uploadLimits.memoryPatienceMs),
  'Webhook endpoints of an account': endpointsPerAccount,
  'Presets of an account': presetLimits.perAccount,
  '`fields` of a preset': bytesOf(presetLimits.bytes, ' of JSON'),
  'Different `{{names}}` in a preset': templateLimits.names,
  'Characters of such a name': templateLimits.nameLength,
  'One of the `values` of a request': `${templateLimits.valueLength.toLocaleString('en')} characters`,
  'A preset with its values filled in': bytesOf(templateLimits.filledBytes, ' of JSON'),
  'Items of a batch': batchLimits.items,
  'JSON body of a batch': bytesOf(batchLimits.bodyBytes),
  'Requests of a batch with their presets filled in': bytesOf(batchLimits.requestBytes, ' of JSON'),
  'Uploads and earlier videos as sources of a batch': batchLimits.sources,
  Attempts: defaultWebhookSchedule.split(',').length,
  'One attempt, the answer included': secondsOf(webhookLimits.attemptMs),
  'Bytes read of an answer': webhookLimits.answerBytes,
  'Bytes kept of an answer': webhookLimits.loggedAnswerBytes,
  'Attempts kept of a delivery': webhookLimits.loggedAttempts,
  'Attempts under way at once, for one account and host': webhookLimits.inFlight,
  'Deliveries that an account and host have in hand': webhookLimits.waiting,
  'Wrong passwords for one e-mail address, in one place': triesOf(passwords.perPlace),
  'Wrong passwords for one e-mail address, in all networks': triesOf(passwords.perEmail),
  'Wrong passwords from one network': triesOf(passwords.perNetwork),
  'Links for a new password to one e-mail address, asked for in one place': triesOf(
    resets.perPlace,
  ),
  'Links for a new password to one e-mail address, in all networks': triesOf(resets.perEmail),
  'Links for a new password asked for in one network': triesOf(resets.perNetwork),
  'Mails to one e-mail address that finish a sign-up, asked for in one place': triesOf(
    signUps.perPlace,
  ),
  'Mails to one e-mail address that finish a sign-up, in all networks': triesOf(signUps.perEmail),
  'Sign-ups from one network': triesOf(signUps.perNetwork),
  'Invitations that one account sends': triesOf(signInLimits.invitationsPerAccount),
  'Invitations of an account that nobody has accepted': invitationsPerAccount,
  Password: `${passwordLengths.least} to ${passwordLengths.most} characters`,
  'What one person reads in the dashboard': `${dashboardReads[0]?.limit.toLocaleString('en')} in a minute`,
}

let page: string
beforeAll(async () => {
  const text = await readFile(new URL('../../../docs/limits.md', import.meta.url), 'utf8')
  page = text.replaceAll(/ +/g, ' ')
})

describe('docs/limits.md', () => {
  it('publishes every limit of a request with its value', () => {
    const missing = Object.entries(rows).filter(([name, row]) => {
      const value = limits[name as Limit].toLocaleString('en')
      return !page.includes(`\n| ${row} | ${value} `)
    })
    expect(missing).toEqual([])
  })

  it('publishes every other limit with its value', () => {
    const missing = Object.entries(others).filter(
      ([row, value]) => !page.includes(`\n| ${row} | ${value.toLocaleString('en')} `),
    )
    expect(missing).toEqual([])
    expect(page).toMatch(new RegExp(`\n\\| API keys of an account.* \\| +${keysPerAccount} +\\|`))
    expect(page).toContain(`one request for every ${batchLimits.itemsForEachRequest} of its items`)
  })

  it('names tests that exist', async () => {
    const files = [...page.matchAll(/(test\/[a-z./-]+\.ts)/g)].map(([, file]) => file ?? '')
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) await readFile(new URL(`../../../${file}`, import.meta.url))
  })
})

const url = 'https://media.example.com/a.mp4'
const segment = { startTime: 0, endTime: 1 }

function takes(more: object): boolean {
  return parseCreateVideo({ fileUrl: url, ...more }).ok
}

function takesHls(more: object): boolean {
  return takes({ outputs: [{ name: 'web', outputFormat: 'hls', ...more }] })
}

function takesElement(more: object): boolean {
  return takes({ elements: [{ type: 'image', url, ...more }] })
}

function times<Value>(count: number, value: Value): Value[] {
  return Array.from({ length: count }, () => value)
}

function urlOf(length: number): string {
  return url.padEnd(length, 'x')
}

const word = { text: 'x', startTime: 0, endTime: 1 }

function takesCaptions(source: object): boolean {
  return takes({ captions: { source } })
}

function captionText(length: number): string {
  const cue = '1\n00:00:00,000 --> 00:00:01,000\n'.padEnd(998, 'x ') + '\n\n'
  return cue.repeat(length / cue.length).padEnd(length, '\n')
}

/** Whether a request with this amount is accepted. */
const probes: Record<
  Exclude<
    Limit,
    // Known only when the film is: then there are fewer, with a warning.
    | 'spritePictures'
    | 'reportedFaults'
    | 'reportedFaultChars'
    | 'listPageSizeDefault'
    | 'listPageBytes'
    | 'idempotencyKeyLength'
    | 'formParts'
    | 'formTextBytes'
    | 'partHeaderBytes'
    | 'jsonBodyBytes'
  >,
  (amount: number) => boolean
> = {
  files: (n) => parseCreateVideo({ combine: true, files: times(n, { url }) }).ok,
  elements: (n) => takes({ elements: times(n, { type: 'image', url }) }),
  outputs: (n) => takes({ outputs: Array.from({ length: n }, (_, i) => ({ name: `output${i}` })) }),
  destinations: (n) =>
    takes({
      destinations: Array.from({ length: n }, (_, i) => ({ storage: 'out', key: `${i}.mp4` })),
    }),
  // Both are even: one more than the limit is odd as well.
  outputSide: (n) => takes({ outputs: [{ name: 'web', width: n }] }),
  outputFps: (n) => takes({ outputs: [{ name: 'web', fps: n }] }),
  outputBytes: (n) => takes({ outputs: [{ name: 'web', maxBytes: n }] }),
  outputBitrate: (n) => takes({ outputs: [{ name: 'web', maxBitrate: n }] }),
  hlsHeights: (n) => takesHls({ heights: Array.from({ length: n }, (_, i) => 144 * (i + 1)) }),
  hlsHeight: (n) => takesHls({ heights: [n] }),
  hlsFps: (n) => takesHls({ fps: n }),
  outputSeconds: (n) => takes({ outputs: [{ name: 'web', startTime: n }] }),
  movingSeconds: (n) => takes({ outputs: [{ name: 'web', outputFormat: 'gif', duration: n }] }),
  movingSide: (n) => takes({ outputs: [{ name: 'web', outputFormat: 'webp', width: n }] }),
  movingFps: (n) => takes({ outputs: [{ name: 'web', outputFormat: 'gif', fps: n }] }),
  stills: (n) => takes({ outputs: [{ name: 'web', outputFormat: 'png', times: times(n, 1) }] }),
  spriteSide: (n) => takes({ outputs: [{ name: 'web', outputFormat: 'sprite', width: n }] }),
  transitionSeconds: (n) => takes({ cutTransition: { type: 'crossfade', duration: n } }),
  reframeScenes: (n) => {
    const scenes = Array.from({ length: n }, (_, i) => ({ startTime: i, endTime: i + 1 }))
    return takes({ resizeMode: 'follow', aspectRatio: '9:16', reframe: { scenes } })
  },
  removeSegments: (n) => takes({ removeSegments: times(n, segment) }),
  phrases: (n) => takes({ removeText: times(n, 'x') }) && takes({ keepText: times(n, 'x') }),
  bleepWords: (n) => takes({ bleep: times(n, 'x') }),
  bleepLength: (n) => takes({ bleep: ['x'.repeat(n)] }),
  translations: (n) =>
    takes({
      captions: { translateTo: times(n, '').map((_, i) => `a${String.fromCharCode(97 + i)}`) },
    }),
  glossaryTerms: (n) =>
    takes({
      captions: {
        translateTo: ['es'],
        glossary: Object.fromEntries(times(n, '').map((_, i) => [`t${i}`, 'x'])),
      },
    }),
  glossaryLength: (n) =>
    takes({ captions: { translateTo: ['es'], glossary: { ['x'.repeat(n)]: 'x'.repeat(n) } } }),
  vocabulary: (n) => takes({ vocabulary: Array(n).fill('Spool') }),
  vocabularyLength: (n) => takes({ vocabulary: ['x'.repeat(n)] }),
  suggestedClips: (n) => takes({ suggestClips: { count: n } }),
  clipSeconds: (n) => takes({ suggestClips: { maxDuration: n } }),
  aboutLength: (n) => takes({ suggestClips: { about: 'x'.repeat(n) } }),
  speakers: (n) => takes({ speakers: { count: n } }),
  speakerNameLength: (n) => takes({ keepSpeakers: ['x'.repeat(n)] }),
  phraseLength: (n) => takes({ removeText: ['x'.repeat(n)] }),
  videoNameLength: (n) => takes({ videoName: 'x'.repeat(n) }),
  urlLength: (n) => takes({ fileUrl: urlOf(n) }),
  commentLength: (n) => takesElement({ comment: 'x'.repeat(n) }),
  metadataBytes: (n) => takes({ metadata: { a: 'x'.repeat(n - '{"a":""}'.length) } }),
  elementPixels: (n) => takesElement({ size: { width: n } }),
  elementPercent: (n) => takesElement({ size: { height: `${n}%` } }),
  volume: (n) => takes({ elements: [{ type: 'audio', url, effects: { volume: n } }] }),
  captionTextLength: (n) => takesCaptions({ text: captionText(n) }),
  captionWords: (n) => takesCaptions({ words: times(n, word) }),
  captionWordLength: (n) => takesCaptions({ words: [{ ...word, text: 'x'.repeat(n) }] }),
  textLength: (n) => takes({ elements: [{ type: 'text', text: 'x'.repeat(n) }] }),
  duckDb: (n) => takes({ elements: [{ type: 'audio', url, effects: { duck: { amount: n } } }] }),
  jsonValues: (n) => parseJsonBody(`[${times(n - 1, 0).join()}]`).ok,
  jsonDepth: (n) => parseJsonBody('['.repeat(n) + ']'.repeat(n)).ok,
  listPageSize: (n) => listQuery.safeParse({ limit: String(n) }).success,
}

describe('every published limit of a request', () => {
  it.each(Object.entries(probes))('%s is taken, and one more is not', (name, takesAmount) => {
    const limit = limits[name as Limit]
    expect(takesAmount(limit)).toBe(true)
    expect(takesAmount(limit + 1)).toBe(false)
  })

  it('removeSegments of a file has the limit of the request', () => {
    const ofFile = (n: number) =>
      parseCreateVideo({ combine: true, files: [{ url, removeSegments: times(n, segment) }] }).ok
    expect(ofFile(limits.removeSegments)).toBe(true)
    expect(ofFile(limits.removeSegments + 1)).toBe(false)
  })
})

import { formOf, type FileForm } from './file-form.ts'

/** What a customer has in mind. */
export type Plan =
  | 'follows'
  | 'waits'
  | 'trusts'
  | 'hurries'
  | 'cancels'
  | 'deletes'
  | 'repeats'
  | 'renames'
  | 'redelivers'
  /** Deletes it while a webhook is sent once more. */
  | 'erases'
  /** Asks what is seen in it. */
  | 'analyses'

type Drawn = (what: string) => number
type Source = { fileUrl: string } | { uploadId: string } | { sourceVideoId: string }
type Wishing = {
  videoName: string
  source: Source
  hook: string | undefined
  storage: string
  plan: Plan
}
type Wish = Record<string, unknown>
/** What is sent, where to, and what of it the record has to tell. */
type Sending = { path: string; body: Wish | FileForm; asked: Wish }

/** The preset that every account has. */
export const usualPreset = { path: '/v1/presets/usual', fields: { videoName: '{{title}}' } }

/** What a customer asks for. */
export function wishFor(drawn: Drawn, wishing: Wishing): Sending {
  const { videoName, source, hook, storage, plan } = wishing
  const isErased = plan === 'erases'
  const key = '{videoId}/{name}.{extension}'
  const body = {
    ...source,
    ...(drawn('preset') < 0.2 ? { preset: 'usual', values: { title: videoName } } : { videoName }),
    enableThumbnail: drawn('thumbnail') < 0.3,
    enableTranscription: isErased || drawn('transcript') < 0.3,
    // What was seen in one that is deleted must not stay.
    ...((plan === 'analyses' || (plan === 'deletes' && drawn('analysis') < 0.5)) && {
      enableAiAnalysis: true,
    }),
    ...limitsFor(drawn('limits')),
    ...(drawn('outputs') < 0.25 && { outputs: [{ name: 'first' }, { name: 'second' }] }),
    ...(hook !== undefined && (isErased || drawn('hook') < 0.8) && { webhookUrl: hook }),
    // It may be deleted while it is on its way to a bucket.
    ...(drawn('delivered') < (plan === 'deletes' ? 0.7 : 0.3) && {
      destinations: [{ storage, key, keep: drawn('kept') < 0.5 }],
    }),
  }
  return { path: '/v1/videos', body, asked: { ...body, videoName } }
}

/** Some send the file with what they ask for, in one form. */
export function formFor(drawn: Drawn, videoName: string): Sending {
  const enableThumbnail = drawn('thumbnail') < 0.3
  const fields = { videoName, enableThumbnail: `${enableThumbnail}` }
  const body = formOf(fields, `the film of ${videoName}`)
  const asked = { videoName, enableThumbnail, enableTranscription: false }
  return { path: '/v1/videos/upload', body, asked }
}

/** Some allow less than any video takes, and some far more. The result of another video would cost nothing. */
function limitsFor(drawn: number): Wish {
  if (drawn < 0.03) return { maxSeconds: 0.5, reuse: false }
  if (drawn < 0.06) return { maxPrice: 1e-9, reuse: false }
  return drawn < 0.1 ? { maxSeconds: 100_000, maxPrice: 1_000 } : {}
}

/** Whether no video can be made within the limits of this wish. */
export function allowsNothing({ maxSeconds = Infinity, maxPrice = Infinity }: Wish): boolean {
  return Number(maxSeconds) < 1 || Number(maxPrice) < 1e-6
}

import { formOf, type FileForm } from './file-form.ts'

/** The plan of a customer. */
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
  /** Deletes the video while a webhook is sent again. */
  | 'erases'
  /** Asks for an analysis of the pictures. */
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
/** What is sent, to which address, and which fields the record has to repeat. */
type Sending = { path: string; body: Wish | FileForm; asked: Wish }

/** The preset that every account has. */
export const usualPreset = { path: '/v1/presets/usual', fields: { videoName: '{{title}}' } }

/** What a customer writes down with an order, to find it again. */
export const notesOf = (videoName: string) => ({ wish: videoName })

/** The request of a customer. */
export function wishFor(drawn: Drawn, wishing: Wishing): Sending {
  const { videoName, source, hook, storage, plan } = wishing
  const isErased = plan === 'erases'
  const key = '{videoId}/{name}.{extension}'
  const body = {
    ...source,
    ...(drawn('preset') < 0.2 ? { preset: 'usual', values: { title: videoName } } : { videoName }),
    metadata: notesOf(videoName),
    enableThumbnail: drawn('thumbnail') < 0.3,
    enableTranscription: isErased || drawn('transcript') < 0.3,
    // The analysis of a deleted video must not stay.
    ...((plan === 'analyses' || (plan === 'deletes' && drawn('analysis') < 0.5)) && {
      enableAiAnalysis: true,
    }),
    ...limitsFor(drawn('limits')),
    ...(drawn('outputs') < 0.25 && { outputs: [{ name: 'first' }, { name: 'second' }] }),
    ...(hook !== undefined && (isErased || drawn('hook') < 0.8) && { webhookUrl: hook }),
    // The video may be deleted on its way to a bucket.
    ...(drawn('delivered') < (plan === 'deletes' ? 0.7 : 0.3) && {
      destinations: [{ storage, key, keep: drawn('kept') < 0.5 }],
    }),
  }
  return { path: '/v1/videos', body, asked: { ...body, videoName } }
}

/** A form that holds the file together with the options. */
export function formFor(drawn: Drawn, videoName: string): Sending {
  const enableThumbnail = drawn('thumbnail') < 0.3
  const metadata = notesOf(videoName)
  const notes = JSON.stringify(metadata)
  const fields = { videoName, metadata: notes, enableThumbnail: `${enableThumbnail}` }
  const body = formOf(fields, `the film of ${videoName}`)
  const asked = { videoName, metadata, enableThumbnail, enableTranscription: false }
  return { path: '/v1/videos/upload', body, asked }
}

/** Limits on a video: some allow less than any video takes, others far more. The result of another video would cost nothing. */
function limitsFor(drawn: number): Wish {
  if (drawn < 0.03) return { maxSeconds: 0.5, reuse: false }
  if (drawn < 0.06) return { maxPrice: 1e-9, reuse: false }
  return drawn < 0.1 ? { maxSeconds: 100_000, maxPrice: 1_000 } : {}
}

/** Whether no video can be made within the limits of this wish. */
export function allowsNothing({ maxSeconds = Infinity, maxPrice = Infinity }: Wish): boolean {
  return Number(maxSeconds) < 1 || Number(maxPrice) < 1e-6
}

import type { FailureReason } from '../../contract/job/report.ts'

type FailedVideo = {
  errorMessage?: string | null | undefined
  reason?: FailureReason | undefined
}

/** The names that pages give to the fields with which the API's messages begin. */
const names: readonly [RegExp, string][] = [
  [/^fileUrl: /, 'The address of the video: '],
  // A request sends at most one file of its own.
  [/^(file|uploadId|sourceVideoId): the file/, 'The file'],
  [/^(file|uploadId|sourceVideoId): /, 'The file: '],
  [/^files\[(\d+)\](\.url)?: /, 'Clip $1: '],
  [/^elements\[(\d+)\](\.url)?: /, 'Overlay $1: '],
  [/^captions\.source\.url: /, 'The address of the captions: '],
]

/** Why the video failed, in words for people: the API counts from 0 and names its fields. */
export function sayFailure({ errorMessage }: FailedVideo): string {
  const message = errorMessage ?? 'It could not be processed.'
  const [pattern, name = ''] = names.find(([known]) => known.test(message)) ?? []
  if (!pattern) return message
  const said = message.replace(pattern, (_, place: string) =>
    name.replace('$1', String(Number(place) + 1)),
  )
  return /[.!?]$/.test(said) ? said : `${said}.`
}

/** What the reader can do about the failure. */
export function adviseOn({ errorMessage, reason }: FailedVideo): string | undefined {
  if (reason === undefined) return undefined
  const known = reason === 'source_unreachable' ? unreachable : []
  const fitting = known.find(([pattern]) => pattern.test(errorMessage ?? ''))
  return fitting?.[1] ?? advice[reason]
}

/** Advice by how the server of the address answered. */
const unreachable: readonly [RegExp, string][] = [
  [/host name is not known/, 'Check how the address is spelt: no server has this name.'],
  [
    /answered (401|403|407)/,
    'Open the address in a private window: it has to work without signing in, until the video is done.',
  ],
  [/answered (404|410)/, 'Check the address: the server has nothing there, or no longer.'],
  [/answered 5\d\d/, 'Try again once the server of the address works again.'],
  [
    /connection failed|could not be reached|fell silent/,
    'Check that the address can be reached from outside your network, and try again.',
  ],
]

/** Advice for each reason of a failure; `docs/errors.md` says more. */
const advice: Readonly<Record<FailureReason, string>> = {
  source_unreachable: 'Check that the address opens in a private window, without signing in.',
  source_too_slow: 'Put the file on a server that sends faster, or send a shorter video.',
  source_not_allowed: 'Put the file where the public internet can read it, or upload it here.',
  source_too_large: 'Shorten, shrink or split the video.',
  source_not_media: 'Give the address of the file itself, not of a page about it.',
  source_undecodable: 'Check that the video plays to its end, or convert it to H.264 in MP4.',
  element_unusable: 'Check the address of that overlay, and that its type fits the file.',
  nothing_left: 'Cut less of it.',
  output_too_large: 'Ask for a lower quality, or cut it into several videos.',
  check_failed: 'Try again. If it fails again with this video, tell the operator.',
  beyond_limit: 'Allow more time or a higher price, or ask for less.',
  out_of_time: 'Try again later, or with a shorter video.',
  out_of_resources: 'Try again, or with a smaller picture.',
  storage_failed: 'Try again.',
  worker_lost: 'Try again. If it fails again with this video, tell the operator.',
  internal: 'Try again. If it fails again, tell the operator the id of the job.',
}

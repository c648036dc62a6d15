import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { arrivalPace } from '../../worker/contract/limits.ts'
import type { OwnService } from '../../worker/contract/own-service.ts'
import { isAllowedHost, portOf, type AllowedHosts } from '../../worker/contract/public-url.ts'
import { JobError } from '../errors/job-error.ts'
import { ArrivalPace, type Pace } from './arrival-pace.ts'
import { atMost } from './at-most.ts'
import { Discretion, privatePatienceMs } from './discretion.ts'
import { asJobError, isTellTale, kept, notInTime, type Fetchable } from './fetch-faults.ts'
import { asFetchError, guardedFetch, NetworkFaultError } from './guarded-fetch.ts'
import { checkAnswer, refuseTooLarge } from './check-answer.ts'
import { askForRest, pieceOf, validatorOf, type Beginning, type Piece } from './resume-download.ts'
import type { Resolve } from './vetted-lookup.ts'
import { untilAborted } from '../errors/until-aborted.ts'

export type TransferLimits = {
  readonly allowedHosts: AllowedHosts
  readonly own: OwnService
  readonly maxSourceBytes: number
  readonly maxJobInputBytes: number
  /** The disk space that the inputs may use. */
  readonly roomBytes: number
  readonly connectMs: number
  readonly idleMs: number
  /** The pace that each try of each input must keep. */
  readonly pace: Pace
  /** The time for all inputs together, including every try. */
  readonly totalMs: number
  /** Pauses before the second, third, … try. */
  readonly backoffMs: readonly number[]
  readonly resolve?: Resolve
  /** How long a private host may take for the beginning of a file, and how long each of its failures takes. */
  readonly privatePatienceMs: number
  /** Tells what went wrong at a host that only the allow-list permits, because nobody else can request such a host. */
  readonly tellsPrivateFaults?: boolean
  /** Which hosts are private; if absent, those that only the allow-list permits. */
  readonly isPrivate?: (url: URL) => boolean
}

export const transferDefaults = {
  connectMs: 10_000,
  idleMs: 30_000,
  pace: arrivalPace,
  backoffMs: [500, 2_000],
  privatePatienceMs,
} as const

export type FetchRequest = {
  readonly inputs: readonly Fetchable[]
  readonly folder: string
  readonly limits: TransferLimits
  readonly signal: AbortSignal
  /** 0 … 1, over all inputs; an input of unknown size counts when it is complete. */
  onProgress(share: number): void
}

const inputsAtOnce = 4

/** Fetches all inputs of a job into its folder as `in0`, `in1`, …, and returns those names. */
export async function fetchInputs(request: FetchRequest): Promise<string[]> {
  const { inputs, limits, signal } = request
  const shares = inputs.map(() => 0)
  const budget = { bytes: 0 }
  const tooLate = AbortSignal.timeout(limits.totalMs)
  const items = inputs.map((input, i) => ({ input, i }))
  return atMost(inputsAtOnce, items, signal, async ({ input, i }, either) => {
    const name = `in${i}`
    const file = path.join(request.folder, name)
    const discretion = new Discretion(isKeptQuiet(limits), limits.privatePatienceMs)
    const shared = { limits, budget, tooLate }
    const download: Download = { input, file, ...shared, discretion, kept: undefined }
    await fetchInput(download, either, (share) => {
      shares[i] = share
      request.onProgress(shares.reduce((sum, one) => sum + one, 0) / inputs.length)
    }).finally(() => discretion.close())
    return name
  })
}

function isKeptQuiet(limits: TransferLimits): (url: URL) => boolean {
  return (url) => !limits.tellsPrivateFaults && isLetIn(limits, url)
}

function isLetIn({ allowedHosts, isPrivate }: TransferLimits, url: URL): boolean {
  return isPrivate ? isPrivate(url) : isAllowedHost(allowedHosts, url.hostname, portOf(url))
}

type Download = {
  input: Fetchable
  file: string
  limits: TransferLimits
  /** The bytes of all inputs so far, shared by the downloads of a job. */
  budget: { bytes: number }
  /** Aborted when the time for all inputs ends. */
  tooLate: AbortSignal
  discretion: Discretion
  /** The beginning of the file that an earlier try left on the disk. */
  kept: Beginning | undefined
}

/** A try that added this much to the beginning of the file resets the number of retries. */
const worthwhileBytes = 256 * 1024

type OnShare = (share: number) => void

async function fetchInput(
  download: Download,
  signal: AbortSignal,
  onShare: OnShare,
): Promise<void> {
  const { input, limits, tooLate, discretion } = download
  const either = AbortSignal.any([signal, tooLate, discretion.signal])
  let vain = 0
  for (let tries = 0; ; tries++) {
    const before = download.kept?.bytes ?? 0
    try {
      await tryInPace(download, either, onShare)
      onShare(1)
      return
    } catch (error) {
      signal.throwIfAborted()
      if (tooLate.aborted) throw notInTime(input, limits.totalMs)
      const gained = (download.kept?.bytes ?? 0) - before
      if (gained >= worthwhileBytes) vain = 0
      const backoffMs = limits.backoffMs[vain++]
      const mayRetry = error instanceof NetworkFaultError && !either.aborted
      if (!mayRetry || backoffMs === undefined)
        throw await toldFault(download, signal, error, tries)
      await pause(backoffMs, undefined, { signal: either }).catch(() => undefined)
    }
  }
}

/** Returns the error that may be told, once it may be told. */
async function toldFault(
  { input, discretion }: Download,
  signal: AbortSignal,
  error: unknown,
  tries: number,
): Promise<unknown> {
  if (!discretion.isKept || !isTellTale(error)) return asJobError(error, input, tries)
  await discretion.keepWaiting(signal)
  signal.throwIfAborted()
  return kept(input, error)
}

/** The pace covers name lookup, redirects and headers too, because a server may send those slowly as well. */
async function tryInPace(download: Download, either: AbortSignal, onShare: OnShare): Promise<void> {
  const pace = new ArrivalPace(download.limits.pace)
  try {
    await tryOnce(download, { signal: AbortSignal.any([either, pace.signal]), pace, onShare })
  } finally {
    pace.stop()
  }
}

type Try = { signal: AbortSignal; pace: ArrivalPace; onShare: OnShare }

async function tryOnce(download: Download, { signal, pace, onShare }: Try): Promise<void> {
  const { input, limits, discretion, kept } = download
  const { allowedHosts, own, connectMs, idleMs, resolve } = limits
  let asked = new URL(input.url)
  const response = await guardedFetch(input.url, {
    origin: input.origin,
    allowedHosts,
    own,
    connectMs,
    idleMs,
    signal,
    ...(resolve && { resolve }),
    onHop: (url) => {
      asked = url
      discretion.meet(url)
    },
    headers: askForRest(kept),
  }).catch((error: unknown) => {
    // A closed port, a silent one and one that speaks another protocol give the same message here.
    if (!(error instanceof NetworkFaultError) || !isLetIn(limits, asked)) throw error
    throw new NetworkFaultError('no web server answered at this address', { cause: error })
  })
  try {
    checkAnswer(response, download)
    const piece = pieceOf(response, kept)
    if (!piece || piece.from === 0) forget(download)
    if (!piece) throw new NetworkFaultError('the server did not go on where it was asked to')
    const { from, totalBytes = 0 } = piece
    const refuse = () => {
      if (totalBytes === 0) return
      refuseTooLarge(download, totalBytes, download.budget.bytes + totalBytes - from)
    }
    const stages = discretion.isKept ? [discretion.stage(refuse)] : []
    if (stages.length === 0) refuse()
    await store(download, response, { ...piece, signal, pace, onShare, stages })
  } catch (error) {
    response.destroy()
    if (error instanceof JobError || isFileError(error)) throw error
    throw asFetchError(error, signal)
  }
}

type Storing = Piece & Try & { stages: readonly Transform[] }

/** Writes what arrives. If the download breaks off, keeps what is on the disk if the server can continue from there. */
async function store(
  download: Download,
  response: IncomingMessage,
  { from, totalBytes, stages, ...trying }: Storing,
): Promise<void> {
  const { file, budget, kept } = download
  const { signal } = trying
  const counter = countBytes(download, { from, totalBytes }, trying)
  const stored = createWriteStream(file, from > 0 ? { flags: 'r+', start: from } : {})
  const closed = new Promise<void>((resolve) => stored.once('close', resolve))
  try {
    await untilAborted(pipeline([response, ...stages, counter.stream, stored], { signal }), signal)
    if (!response.complete) throw new NetworkFaultError('the connection broke off')
  } catch (error) {
    stored.destroy()
    await closed
    budget.bytes -= counter.received() - stored.bytesWritten
    const bytes = from + stored.bytesWritten
    const validator = validatorOf(response.headers) ?? (from > 0 ? kept?.validator : undefined)
    download.kept = { bytes, validator: validator ?? '' }
    if (validator === undefined) forget(download)
    throw error
  }
}

function forget(download: Download): void {
  download.budget.bytes -= download.kept?.bytes ?? 0
  download.kept = undefined
}

/** Whether an error comes from our own disk, not from the network. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && ('path' in error || ('code' in error && error.code === 'ENOSPC'))
}

/** Counts the bytes that really arrive; the header is only a hint. */
function countBytes(download: Download, { from, totalBytes = 0 }: Piece, { pace, onShare }: Try) {
  let received = 0
  const { budget } = download
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      pace.arrived(chunk.length)
      budget.bytes += chunk.length
      try {
        refuseTooLarge(download, from + received, budget.bytes)
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
        return
      }
      if (totalBytes > 0) onShare(Math.min(0.99, (from + received) / totalBytes))
      done(null, chunk)
    },
  })
  return { stream, received: () => received }
}

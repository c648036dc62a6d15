import { createWriteStream } from 'node:fs'
import { truncate, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { isAllowedHost, portOf } from '../../../worker/contract/addresses/public-url.ts'
import { isDiskFull, JobError } from '../../errors/job-error.ts'
import { ArrivalPace } from './arrival-pace.ts'
import { atMost } from '../../errors/at-most.ts'
import { PrivateHostSecrecy } from './private-host-secrecy.ts'
import { asJobError, isTellTale, kept, notInTime, type Fetchable } from './fetch-faults.ts'
import { asFetchError, guardedFetch, NetworkFaultError } from './guarded-fetch.ts'
import { checkAnswer, refuseTooLarge } from './check-answer.ts'
import {
  askForMore,
  pieceOf,
  validatorOf,
  type AskedRange,
  type Beginning,
  type FilePiece,
} from './resume-download.ts'
import { nextBytes, TooMuchToReadError, type Arrived } from './tables-of.ts'
import type { TransferLimits } from './transfer-limits.ts'
import { untilAborted } from '../../errors/until-aborted.ts'
import { meanOf } from '../../numbers/mean.ts'
import type { OnShare } from '../../models/model-thread.ts'

type FetchRequest = {
  readonly inputs: readonly Fetchable[]
  readonly folder: string
  readonly limits: TransferLimits
  readonly signal: AbortSignal
  /** Called with the names of files that were fetched only in part. */
  onHead?: (name: string) => void
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
    const isKeptQuiet = (url: URL) => !limits.tellsPrivateFaults && isLetIn(limits, url)
    const secrecy = new PrivateHostSecrecy(isKeptQuiet, limits.privatePatienceMs)
    const shared = { limits, budget, tooLate }
    const none = { kept: undefined, arrived: [], totalBytes: undefined }
    const download: Transfer = { input, file, ...shared, secrecy, ...none }
    await fetchInput(download, either, (share) => {
      shares[i] = share
      request.onProgress(meanOf(shares))
    }).finally(() => secrecy.close())
    if (isLarge(download)) request.onHead?.(name)
    return name
  })
}

function isLetIn({ allowedHosts, isPrivate }: TransferLimits, url: URL): boolean {
  return isPrivate ? isPrivate(url) : isAllowedHost(allowedHosts, url.hostname, portOf(url))
}

type Transfer = {
  input: Fetchable
  file: string
  limits: TransferLimits
  /** The bytes of all inputs so far; the downloads of a job share this. */
  budget: { bytes: number }
  /** Aborted when the time for all inputs ends. */
  tooLate: AbortSignal
  secrecy: PrivateHostSecrecy
  /** The beginning of the file that earlier requests left on the disk. */
  kept: Beginning | undefined
  /** Of a large file that is fetched only in part: the parts that are here, and its size. */
  arrived: Arrived[]
  totalBytes: number | undefined
}

function askedOf({ input, limits, kept }: Transfer): AskedRange {
  const { heads } = input
  const pieceBytes = input.origin === 'customer' ? undefined : limits.ownPieceBytes
  return { kept, pieceBytes: heads ? heads.pieceBytes : pieceBytes }
}

/** A try that added this much to the beginning of the file resets the number of retries. */
const worthwhileBytes = 256 * 1024

async function fetchInput(
  download: Transfer,
  signal: AbortSignal,
  onShare: OnShare,
): Promise<void> {
  const { input, limits, tooLate, secrecy } = download
  const either = AbortSignal.any([signal, tooLate, secrecy.signal])
  let vain = 0
  for (let tries = 0; ;) {
    const before = download.kept?.bytes ?? 0
    try {
      const isAtEnd = await tryInPace(download, either, onShare)
      if (isLarge(download) ? await isEnough(download) : isAtEnd) {
        onShare(1)
        return
      }
      vain = 0
    } catch (error) {
      signal.throwIfAborted()
      if (tooLate.aborted) throw notInTime(input, limits.totalMs)
      const gained = (download.kept?.bytes ?? 0) - before
      if (gained >= worthwhileBytes) vain = 0
      const backoffMs = limits.backoffMs[vain++]
      const mayRetry = error instanceof NetworkFaultError && !either.aborted
      if (!mayRetry || backoffMs === undefined)
        throw await toldFault(download, signal, error, tries)
      tries++
      await pause(backoffMs, undefined, { signal: either }).catch(() => undefined)
    }
  }
}

/** Whether the file is so large that only the parts a plan needs are fetched. */
function isLarge({ input: { heads }, totalBytes = 0 }: Transfer): boolean {
  return heads !== undefined && totalBytes > heads.wholeBytes
}

/** Whether the parts of a large file that are here suffice; if not, the next request asks for those missing. */
async function isEnough(download: Transfer): Promise<boolean> {
  const { input, file, arrived, totalBytes = 0, kept } = download
  const next = await nextBytes(file, totalBytes, arrived)
  if (next === 'all') throw tooMuch(input)
  if (next === undefined) {
    // Bytes that were not fetched read as zeros, so that every table finds its bytes where it says they are.
    await truncate(file, totalBytes)
    return true
  }
  download.kept = { bytes: next, validator: kept?.validator ?? '' }
  return false
}

function tooMuch({ field, heads }: Fetchable): TooMuchToReadError {
  const most = `a plan reads at most ${heads?.wholeBytes} bytes of a file that cannot be read in parts`
  return new TooMuchToReadError(`${field}: ${most}.`)
}

/** Returns the error that the customer may see, once it may be told. */
async function toldFault(
  { input, secrecy }: Transfer,
  signal: AbortSignal,
  error: unknown,
  tries: number,
): Promise<unknown> {
  if (!secrecy.isKept || !isTellTale(error)) return asJobError(error, input, tries)
  await secrecy.keepWaiting(signal)
  signal.throwIfAborted()
  return kept(input, error)
}

/** The pace covers name lookup, redirects and headers too, because a server may send those slowly as well. */
async function tryInPace(
  download: Transfer,
  either: AbortSignal,
  onShare: OnShare,
): Promise<boolean> {
  const pace = new ArrivalPace(download.limits.pace)
  try {
    return await tryOnce(download, {
      signal: AbortSignal.any([either, pace.signal]),
      pace,
      onShare,
    })
  } finally {
    pace.stop()
  }
}

type Try = { signal: AbortSignal; pace: ArrivalPace; onShare: OnShare }

/** Returns whether the file is whole now. */
async function tryOnce(download: Transfer, { signal, pace, onShare }: Try): Promise<boolean> {
  const { input, limits, secrecy } = download
  const wanted = askedOf(download)
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
      secrecy.meet(url)
    },
    headers: askForMore(wanted),
  }).catch((error: unknown) => {
    throw isLetIn(limits, asked) ? asUnanswered(error) : error
  })
  try {
    checkAnswer(response, input, wanted)
    // An empty file has no first piece, so a server can send none.
    if (response.statusCode === 416 && !wanted.kept && !secrecy.isKept) {
      response.destroy()
      await writeFile(download.file, '')
      return true
    }
    const piece = pieceOf(response, wanted)
    if (!piece || piece.from === 0) forget(download)
    if (!piece) throw new NetworkFaultError('the server did not go on where it was asked to')
    const { from, totalBytes = 0 } = piece
    const refuse = () => {
      const jobBytes = download.budget.bytes + totalBytes - from
      if (totalBytes > 0) refuseTooLarge(download, totalBytes, jobBytes)
    }
    const stages = secrecy.isKept ? [secrecy.stage(refuse)] : []
    if (stages.length === 0) refuse()
    download.totalBytes = piece.totalBytes
    return await store(download, response, { ...piece, signal, pace, onShare, stages })
  } catch (error) {
    response.destroy()
    if (error instanceof JobError || error instanceof TooMuchToReadError) throw error
    if (isFileError(error)) throw error
    throw asFetchError(error, signal)
  }
}

/** A closed port, a silent one and one that speaks another protocol give the same message. */
function asUnanswered(error: unknown): unknown {
  if (!(error instanceof NetworkFaultError)) return error
  return new NetworkFaultError('no web server answered at this address', { cause: error })
}

/**
 * Writes what arrives, and returns whether the file is whole. If the download breaks off, keeps what is on the disk if the
 * server can continue from there.
 */
async function store(
  download: Transfer,
  response: IncomingMessage,
  { from, totalBytes, stages, ...trying }: FilePiece & Try & { stages: readonly Transform[] },
): Promise<boolean> {
  const { file, budget, kept } = download
  const { signal } = trying
  const counter = countBytes(download, { from, totalBytes }, trying)
  const stored = createWriteStream(file, from > 0 ? { flags: 'r+', start: from } : {})
  const closed = new Promise<void>((resolve) => stored.once('close', resolve))
  const keep = () => {
    const bytes = from + stored.bytesWritten
    const validator = validatorOf(response.headers) ?? (from > 0 ? kept?.validator : undefined)
    download.kept = { bytes, validator: validator ?? '' }
    return { bytes, isKnown: validator !== undefined }
  }
  try {
    await untilAborted(pipeline([response, ...stages, counter.stream, stored], { signal }), signal)
    if (!response.complete) throw new NetworkFaultError('the connection broke off')
    if (download.input.heads) download.arrived.push({ from, to: from + stored.bytesWritten })
    return keep().bytes >= (totalBytes ?? 0)
  } catch (error) {
    stored.destroy()
    await closed
    budget.bytes -= counter.received() - stored.bytesWritten
    if (!keep().isKnown) forget(download)
    throw error
  }
}

function forget(download: Transfer): void {
  download.arrived = []
  download.budget.bytes -= download.kept?.bytes ?? 0
  download.kept = undefined
}

/** Whether an error comes from our own disk, not from the network. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && ('path' in error || isDiskFull(error))
}

/** Refuses a large file from a server that does not send pieces: it would send the whole file. */
function refuseEndless({ input }: Transfer, received: number): void {
  const { pieceBytes, wholeBytes } = input.heads ?? {}
  if (pieceBytes && wholeBytes && received > Math.max(pieceBytes, wholeBytes)) throw tooMuch(input)
}

/** Counts the bytes that really arrive; the header is only a hint. */
function countBytes(
  download: Transfer,
  { from, totalBytes = 0 }: FilePiece,
  { pace, onShare }: Try,
) {
  let received = 0
  const { budget } = download
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      pace.arrived(chunk.length)
      budget.bytes += chunk.length
      try {
        refuseTooLarge(download, from + received, budget.bytes)
        refuseEndless(download, received)
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

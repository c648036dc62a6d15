import { BitReader, unlessCutOff } from '../bits/bit-reader.ts'
import { withoutEscapes } from '../bits/coded-bits.ts'
import { avcUnitType } from '../bits/nal-units.ts'
import { fileOf, type JoinedPackets, type PacketUnits } from '../bits/packet-units.ts'
import { seiMessages } from '../bits/sei.ts'
import type { AvcParameterSets } from './avc-parameter-sets.ts'
import { readSliceHeader, sliceUnits, type PictureNumbers, type SliceHeader } from './avc-slice.ts'

/**
 * How a decoder may begin with a packet: `closed` if nothing after it needs anything before it, `never` if it cannot begin
 * there.
 */
export type Entry = 'closed' | 'never' | OpenEntry

/** An entry whose leading pictures, stored after the packet and shown before it, may need what came before. */
export type OpenEntry = {
  /** How many encoded pictures have to come before it. */
  readonly before: number
  /** How encoded pictures have to be numbered; undefined if that does not matter. */
  readonly numbers: EntryNumbers | undefined
}

/** How the pictures before an open group, and its leading pictures, must be numbered for the decoder to carry on counting. */
export type EntryNumbers = {
  /** How many references come before the group. */
  readonly count: number
  /** Which of them are still there when it begins: how many references before it, in ascending order. */
  readonly ages: readonly number[]
  /** PicOrderCnt of its first picture. */
  readonly poc: number
  /** The lowest PicOrderCnt of its leading pictures. */
  readonly earliest: number
  /** By packet: encoded pictures have to be stored in the places of leading pictures that are left out. */
  readonly leading: ReadonlyMap<number, LeadingNumbers>
}

type LeadingNumbers = Omit<PictureNumbers, 'idrPicId'>

type AvcFile = Pick<JoinedPackets, 'files'> & {
  readonly units: PacketUnits
  /** Each packet's index in display order; -1 if it is never shown. */
  readonly shown: { readonly places: Int32Array }
  /** Undefined if slices cannot be written for them. */
  readonly parameterSets: AvcParameterSets | undefined
}

/** The NAL unit type of SEI: Table 7-1. */
const seiUnit = 6
/** Larger than any slice header. */
const headBytes = 1_024
const mostMessageBytes = 4_096
/** Streams never reorder more pictures. */
const mostLeading = 32
/** A longer seam is not worth it. */
const mostBefore = 100

/** How a decoder may begin with a packet. */
export async function avcEntryOf(file: AvcFile, packet: number): Promise<Entry> {
  const { isIdr, isIntra, isRecovered } = await lookAt(file, packet)
  if (isIdr) return 'closed'
  if (!file.parameterSets || !isIntra || !isRecovered) return 'never'
  return (await openEntry(file, file.parameterSets, packet)) ?? 'never'
}

async function lookAt({ units, parameterSets: sets }: AvcFile, packet: number) {
  let [slices, isIntra, isRecovered] = [0, true, false]
  for await (const unit of units.of(packet)) {
    const kind = avcUnitType(unit.first)
    if (kind === sliceUnits.idr) return { isIdr: true, isIntra, isRecovered }
    if (kind === seiUnit && !isRecovered && sets) {
      isRecovered = saysRecovered(
        withoutEscapes(await units.bytesOf(unit, mostMessageBytes)).subarray(1),
      )
    }
    if (!isSliceUnit(kind)) continue
    slices += 1
    const slice = sets && readHead(await units.bytesOf(unit, headBytes), sets)
    if (slice?.type !== 'I' || slice.nalRefIdc === 0) isIntra = false
    // Units of other kinds do not matter here.
    if (!isIntra) break
  }
  return { isIdr: false, isIntra: isIntra && slices > 0, isRecovered }
}

/** Slices, whole or in partitions: nal_unit_type 1 to 5 in Table 7-1. */
function isSliceUnit(kind: number): boolean {
  return kind >= sliceUnits.nonIdr && kind <= sliceUnits.idr
}

function readHead(bytes: Buffer, sets: AvcParameterSets): SliceHeader | undefined {
  return unlessCutOff(() => readSliceHeader(withoutEscapes(bytes), sets))
}

/** The type of the SEI message recovery_point: D.2.8. */
const recoveryPoint = 6

/** Whether a message says that all pictures from here on are exact if a decoder begins here. */
function saysRecovered(plain: Buffer): boolean {
  for (const { type, payload } of seiMessages(plain)) {
    if (type !== recoveryPoint || payload.length === 0) continue
    const reader = new BitReader(payload)
    return unlessCutOff(() => reader.ue() === 0 && reader.flag()) ?? false // recovery_frame_cnt, exact_match_flag
  }
  return false
}

/** The first slice of a packet. */
async function sliceOf({ units }: AvcFile, sets: AvcParameterSets, packet: number) {
  for await (const unit of units.of(packet)) {
    const kind = avcUnitType(unit.first)
    if (!isSliceUnit(kind)) continue
    return readHead(await units.bytesOf(unit, headBytes), sets)
  }
  return undefined
}

async function openEntry(
  file: AvcFile,
  sets: AvcParameterSets,
  packet: number,
): Promise<Entry | undefined> {
  const slice = await sliceOf(file, sets, packet)
  const begin = file.files[fileOf(file, packet)]?.from ?? 0
  const sliceAt = async (i: number) => sliceOf(file, sets, i)
  const ages = slice && (await referencesBefore(sets, { from: begin, to: packet }, slice, sliceAt))
  const leading = slice && (await leadingOf(file, sets, packet))
  if (!ages || !leading) return undefined
  // With pic_order_cnt_type 2, POC follows frame_num and has no bits of its own.
  const maxPocLsb = 2 ** (sets.sps.pocLsbBits ?? 32)
  const earlier = (poc: number): number => (slice.poc - poc + maxPocLsb) % maxPocLsb
  const lead = [...leading.values()].reduce((most, { poc }) => Math.max(most, earlier(poc)), 0)
  if (lead * 2 >= maxPocLsb) return undefined
  const maxFrameNum = 2 ** sets.sps.frameNumBits
  const needed = Math.max(1, ...ages)
  const first = needed + ((((slice.frameNum - needed) % maxFrameNum) + maxFrameNum) % maxFrameNum)
  for (let count = first; count <= mostBefore; count += maxFrameNum) {
    const poc = pocAfter(count, { pocLsb: slice.poc, maxPocLsb, lead })
    if (poc === undefined) continue
    return { before: count, numbers: { count, ages, poc, earliest: poc - lead, leading } }
  }
  return undefined
}

/** pic_order_cnt_lsb of an entry, MaxPicOrderCntLsb, and how far its earliest leading picture is before it: 8.2.1.1. */
type PocRequest = { pocLsb: number; maxPocLsb: number; lead: number }

/** The POC of the picture after `count` others, if a decoder can derive it from its lower bits. */
function pocAfter(count: number, { pocLsb, maxPocLsb, lead }: PocRequest): number | undefined {
  const least = 2 * count + lead
  if (maxPocLsb > 2 ** 16) return least
  const poc = pocLsb + Math.ceil((least - pocLsb) / maxPocLsb) * maxPocLsb
  // The lower bits tell apart steps of less than half their range.
  const steps = pocsBefore(count, poc - lead)
  const longest = [...steps.slice(1), poc].map((at, i) => at - (steps[i] ?? 0))
  return longest.every((step) => step * 2 < maxPocLsb) ? poc : undefined
}

/** POCs for `count` pictures, from 0 up to just before `poc`. */
export function pocsBefore(count: number, poc: number): number[] {
  const last = poc - 2
  return Array.from({ length: count }, (_, i) => Math.floor((last * i) / Math.max(1, count - 1)))
}

/** The leading pictures of a packet; undefined if they are not all of the pictures shown right before it. */
async function leadingOf(
  file: AvcFile,
  sets: AvcParameterSets,
  packet: number,
): Promise<Map<number, LeadingNumbers> | undefined> {
  const { places } = file.shown
  const first = places[packet] ?? -1
  const leading = new Map<number, LeadingNumbers>()
  for (let i = packet + 1; i < places.length && (places[i] ?? -1) < first; i++) {
    const slice = await sliceOf(file, sets, i)
    const isOurs = (places[i] ?? -1) >= 0 && leading.size < mostLeading
    if (!slice || slice.isIdr || slice.isLongTerm || !isOurs) return undefined
    leading.set(i, slice)
  }
  const isTogether = [...leading.keys()].every((i) => (places[i] ?? -1) >= first - leading.size)
  return isTogether ? leading : undefined
}

const mostPackets = 400

/**
 * Finds which pictures of some packets a decoder keeps as references when the next picture begins: how many references before
 * it each was stored, in ascending order. Undefined if some are kept in a way that seams cannot imitate.
 */
async function referencesBefore(
  { sps }: AvcParameterSets,
  packets: { readonly from: number; readonly to: number },
  next: SliceHeader,
  sliceAt: (packet: number) => Promise<SliceHeader | undefined>,
): Promise<number[] | undefined> {
  // After this many references, none of the earlier ones is left.
  const enough = 6 * sps.maxNumRefFrames + 8
  const earlier: SliceHeader[] = []
  const first = Math.max(packets.from, packets.to - mostPackets)
  for (let i = packets.to - 1; i >= first && earlier.length < enough; i--) {
    const slice = await sliceAt(i)
    if (!slice) return undefined
    if (slice.nalRefIdc > 0) earlier.unshift(slice)
    if (slice.isIdr) break
  }
  const maxFrameNum = 2 ** sps.frameNumBits
  const isCounted = [...earlier, next].every(
    ({ frameNum }, i, all) =>
      i === 0 || frameNum === ((all[i - 1]?.frameNum ?? 0) + 1) % maxFrameNum,
  )
  return earlier.length > 0 && isCounted ? keptOf(earlier, sps.maxNumRefFrames) : undefined
}

/** memory_management_control_operation: a short-term reference leaves. */
const drop = 1
/** There are no long-term references. */
const noneForLong = [4, 0]

function keptOf(pictures: readonly SliceHeader[], most: number): number[] | undefined {
  let kept: number[] = []
  for (const [i, { refPicMarking, isLongTerm }] of pictures.entries()) {
    const drops = refPicMarking.filter(([operation]) => operation === drop)
    const others = refPicMarking.filter(
      (one) => one[0] !== drop && String(one) !== String(noneForLong),
    )
    if (isLongTerm || others.length > 0) return undefined
    const gone = drops.map(([, difference = 0]) => i - difference - 1)
    kept = kept.filter((one) => !gone.includes(one))
    if (refPicMarking.length === 0 && kept.length >= Math.max(1, most)) kept.shift()
    kept.push(i)
    if (kept.length > Math.max(1, most)) return undefined
  }
  return kept.map((one) => pictures.length - one).toReversed()
}

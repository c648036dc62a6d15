import { fileTypeFromBuffer } from 'file-type'

export const videoFormats = ['mp4', 'mov', 'avi', 'webm'] as const
export type VideoFormat = (typeof videoFormats)[number]

export type Sniffed =
  { kind: 'video'; format: VideoFormat } | { kind: 'other'; name: string } | { kind: 'unknown' }

/** How many leading bytes tell every format apart; fewer are fine when the file is shorter. */
export const sniffBytes = 4_100

/** What a file is by its leading bytes; names and declared types lie. */
export async function sniffFormat(bytes: Uint8Array): Promise<Sniffed> {
  const head = bytes.subarray(0, sniffBytes)
  return sniffIsoMedia(head) ?? sniffRiff(head) ?? sniffText(head) ?? sniffByLibrary(head)
}

/** Whether these leading bytes are a picture, sound or video of any kind, or lead to one; supported or not. */
export async function isMedia(bytes: Uint8Array): Promise<boolean> {
  const head = bytes.subarray(0, sniffBytes)
  if ((await sniffFormat(head)).kind === 'video') return true
  const text = sniffText(head)
  if (text?.kind === 'other') return !answerNames.has(text.name)
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found !== undefined && /^(audio|image|video)\//.test(found.mime)
}

/** First boxes of files from before `ftyp` existed; only QuickTime writes those. */
const quickTimeBoxes = ['moov', 'wide', 'mdat', 'free', 'skip']

/** Any of these among the brands is a promise that MP4 players can read the file. */
const mp4Brand = /^(iso\w|mp4[12]|avc1|M4V[HP ]|dash|msdh|cmf\w|f4v |MSNV|NDS[CHM]|hvc1|av01)$/

function sniffIsoMedia(head: Uint8Array): Sniffed | undefined {
  const boxBytes = uint32At(head, 0)
  const box = latin1(head, 4, 8)
  if (quickTimeBoxes.includes(box) && (boxBytes === 0 || boxBytes === 1 || boxBytes >= 8)) {
    return { kind: 'video', format: 'mov' }
  }
  if (box !== 'ftyp' || head.length < 12) return undefined
  // Fewer bytes than every format needs are the whole file: it ends within its first box.
  if (boxBytes > head.length && head.length < sniffBytes) return { kind: 'unknown' }
  const major = latin1(head, 8, 12)
  if (major === 'qt  ') return { kind: 'video', format: 'mov' }
  // Sound and still pictures come in the same boxes; the library knows their brands.
  if (/^(M4[ABP] |mif1|msf1|hei[cmsx]|hev[cmsx]|avi[fs]|crx )$/.test(major)) return undefined
  const brands = [major, ...brandsOf(head, Math.min(boxBytes, head.length))]
  if (brands.some((brand) => mp4Brand.test(brand))) return { kind: 'video', format: 'mp4' }
  return brands.includes('qt  ') ? { kind: 'video', format: 'mov' } : undefined
}

function brandsOf(head: Uint8Array, end: number): string[] {
  const brands: string[] = []
  for (let at = 16; at + 4 <= end; at += 4) brands.push(latin1(head, at, at + 4))
  return brands
}

function sniffRiff(head: Uint8Array): Sniffed | undefined {
  if (latin1(head, 0, 4) !== 'RIFF') return undefined
  const form = latin1(head, 8, 12)
  return form === 'AVI ' ? { kind: 'video', format: 'avi' } : undefined
}

/** Playlists and scripts that ffmpeg would follow to other files, and pages served in place of a video. */
const textRules: readonly (readonly [RegExp, string])[] = [
  [/^#EXTM3U/, 'HLS playlist'],
  [/^ffconcat version/, 'ffconcat script'],
  [/^v=0\r?\n/, 'SDP description'],
  [/^<\?xml[^>]*>\s*(<!--[\s\S]*?-->\s*)*<MPD[\s>]/i, 'DASH manifest'],
  [/^<MPD[\s>]/, 'DASH manifest'],
  [/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*|<!doctype svg[^>]*>\s*)*<svg[\s>]/i, 'SVG image'],
  [/^(<!--[\s\S]*?-->\s*)*(<!doctype html|<html|<head|<body|<script)/i, 'HTML page'],
  [/^[{[]\s*("|\{|\[|\])/, 'JSON text'],
]

/** What services answer with that hand out no files. */
const answerNames = new Set(['HTML page', 'JSON text'])

function sniffText(head: Uint8Array): Sniffed | undefined {
  const text = new TextDecoder('utf-8').decode(head).trimStart()
  const rule = textRules.find(([pattern]) => pattern.test(text))
  return rule && { kind: 'other', name: rule[1] }
}

async function sniffByLibrary(head: Uint8Array): Promise<Sniffed> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (found === undefined) return { kind: 'unknown' }
  if (found.ext === 'webm') return { kind: 'video', format: 'webm' }
  // The box rules above have already said what is MP4 or MOV; what is left has brands nobody plays as such.
  return { kind: 'other', name: found.ext === 'mp4' ? 'ISO media' : found.ext.toUpperCase() }
}

function uint32At(bytes: Uint8Array, at: number): number {
  if (bytes.length < at + 4) return 0
  return new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0)
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}

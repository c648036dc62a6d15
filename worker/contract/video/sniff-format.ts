import { fileTypeFromBuffer } from 'file-type'

/** What a result may be, and what the media worker works on. */
export const videoFormats = ['mp4', 'mov', 'avi', 'webm'] as const
export type VideoFormat = (typeof videoFormats)[number]

/** What a source may be too: the media worker puts its packets into another container before anything else. */
export type WrappedFormat = 'mkv' | 'ts' | 'flv' | 'mpg' | 'ogv'
export type SourceFormat = VideoFormat | WrappedFormat

/** All containers that a video may come in, for people; 3GP files are MP4 to every program. */
export const knownVideos = 'MP4, MOV, AVI, WebM, MKV, MPEG-TS, FLV, 3GP, MPG and OGV'

/** What a clip of `files` may be made of. */
export type SniffedPicture = 'jpg' | 'png' | 'webp' | 'avif' | 'gif'
export const knownPictures = 'JPEG, PNG, WebP, AVIF and GIF'

/** What may be sound alone. */
export type SoundSource = 'mp3' | 'm4a' | 'wav' | 'flac' | 'ogg'
export const knownSounds = 'MP3, M4A, WAV, FLAC, OGG and Opus'

const sounds: Readonly<Record<string, SoundSource>> = {
  ...{ mp3: 'mp3', m4a: 'm4a', m4b: 'm4a', wav: 'wav', flac: 'flac' },
  ...{ ogg: 'ogg', oga: 'ogg', opus: 'ogg', spx: 'ogg' },
}

export type Sniffed =
  | { kind: 'video'; format: SourceFormat }
  | { kind: 'picture'; format: SniffedPicture; name: string }
  | { kind: 'sound'; format: SoundSource; name: string }
  | { kind: 'other'; name: string }
  | { kind: 'unknown' }

const pictures: readonly string[] = ['jpg', 'png', 'webp', 'avif', 'gif'] satisfies SniffedPicture[]

function isPicture(format: string): format is SniffedPicture {
  return pictures.includes(format)
}

/** How many leading bytes are needed to tell all formats apart; a file may be shorter. */
export const sniffBytes = 4_100

/** Detects what a file is from its leading bytes, because its name and declared type may be wrong. */
export async function sniffFormat(bytes: Uint8Array): Promise<Sniffed> {
  const head = bytes.subarray(0, sniffBytes)
  const known = sniffIsoMedia(head) ?? sniffRiff(head) ?? sniffText(head)
  if (known) return known
  const format = sniffStream(head)
  return format ? { kind: 'video', format } : sniffByLibrary(head)
}

/**
 * Whether these leading bytes are a picture, sound or video of any kind, supported or not, or a playlist of such files.
 */
export async function isMedia(bytes: Uint8Array): Promise<boolean> {
  const head = bytes.subarray(0, sniffBytes)
  if ((await sniffFormat(head)).kind === 'video') return true
  const text = sniffText(head)
  if (text?.kind === 'other') return !answerNames.has(text.name)
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found !== undefined && /^(audio|image|video)\//.test(found.mime)
}

/** The first boxes of files without `ftyp`, from before it existed; only QuickTime wrote those. */
const quickTimeBoxes = ['moov', 'wide', 'mdat', 'free', 'skip']

/** A file with one of these brands promises that MP4 players can read it. */
const mp4Brand =
  /^(iso\w|3g[2eghprst]\w|mp4[12]|avc1|M4V[HP ]|dash|msdh|cmf\w|f4v |MSNV|NDS[CHM]|hvc1|av01)$/

function sniffIsoMedia(head: Uint8Array): Sniffed | undefined {
  const boxBytes = uint32At(head, 0)
  const box = latin1(head, 4, 8)
  if (quickTimeBoxes.includes(box) && (boxBytes === 0 || boxBytes === 1 || boxBytes >= 8)) {
    return { kind: 'video', format: 'mov' }
  }
  if (box !== 'ftyp' || head.length < 12) return undefined
  // With fewer bytes than `sniffBytes` this is the whole file, and it ends within its first box.
  if (boxBytes > head.length && head.length < sniffBytes) return { kind: 'unknown' }
  const major = latin1(head, 8, 12)
  if (major === 'qt  ') return { kind: 'video', format: 'mov' }
  // Audio files and still pictures use the same boxes; the library knows their brands.
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

/** What a server typically sends when it does not send the file itself. */
const answerNames = new Set(['HTML page', 'JSON text'])

function sniffText(head: Uint8Array): Sniffed | undefined {
  const text = new TextDecoder('utf-8').decode(head).trimStart()
  const rule = textRules.find(([pattern]) => pattern.test(text))
  return rule && { kind: 'other', name: rule[1] }
}

/** Files that may begin with an ID3 tag. */
const behindId3 = ['mp3', 'flac', 'wav']

async function sniffByLibrary(head: Uint8Array): Promise<Sniffed> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (found === undefined) return { kind: 'unknown' }
  // The library looks behind such a tag; counters of what other files claim do not.
  if (latin1(head, 0, 3) === 'ID3' && !behindId3.includes(found.ext)) {
    return { kind: 'other', name: `${found.ext.toUpperCase()} behind an ID3 tag` }
  }
  if (found.ext === 'webm' || found.ext === 'mkv') return { kind: 'video', format: found.ext }
  const name = found.ext.toUpperCase()
  if (isPicture(found.ext)) return { kind: 'picture', format: found.ext, name }
  const sound = sounds[found.ext]
  if (sound) return { kind: 'sound', format: sound, name }
  // The rules above have found every MP4 and MOV; the brands left over play as neither.
  return { kind: 'other', name: found.ext === 'mp4' ? 'ISO media' : found.ext.toUpperCase() }
}

function uint32At(bytes: Uint8Array, at: number): number {
  if (bytes.length < at + 4) return 0
  return new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0)
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}

/** Containers that hold streams without a table in front, by their leading bytes. */
function sniffStream(head: Uint8Array): 'ts' | 'flv' | 'mpg' | 'ogv' | undefined {
  if (isFlv(head)) return 'flv'
  if (beginsWith(head, [0, 0, 1, 0xba])) return 'mpg'
  if (isOggVideo(head)) return 'ogv'
  return isTransportStream(head) ? 'ts' : undefined
}

/** A version of 1, and flags that name nothing but sound and pictures. */
function isFlv(head: Uint8Array): boolean {
  return beginsWith(head, [0x46, 0x4c, 0x56, 1]) && ((head[4] ?? 0xff) & ~5) === 0
}

const syncByte = 0x47
/** As broadcast, with the time of arrival before each packet (M2TS), and with error correction behind it. */
const packetBytes = [188, 192, 204]
/** This many packets in a row begin with the same byte only in a transport stream. */
const surePackets = 5

/** A recording may begin in the middle of a packet. */
function isTransportStream(head: Uint8Array): boolean {
  return packetBytes.some((step) => {
    for (let from = 0; from < step; from++) {
      let count = 0
      while (head[from + count * step] === syncByte) count++
      const isWhole = from + count * step >= head.length
      if (count >= surePackets || (isWhole && count > 2)) return true
    }
    return false
  })
}

/** Ogg names the codec of each stream in a page of its own, before all others: Theora, Dirac, or any video in OGM. */
function isOggVideo(head: Uint8Array): boolean {
  for (let at = 0; beginsWith(head.subarray(at), [0x4f, 0x67, 0x67, 0x53]);) {
    const isFirstOfStream = ((head[at + 5] ?? 0) & 2) !== 0
    if (!isFirstOfStream) return false
    const segments = head.subarray(at + 27, at + 27 + (head[at + 26] ?? 0))
    const body = at + 27 + segments.length
    const name = String.fromCharCode(...head.subarray(body, body + 7))
    if (/^(\x80theora|BBCD|\x01video)/.test(name)) return true
    at = body + segments.reduce((sum, bytes) => sum + bytes, 0)
  }
  return false
}

function beginsWith(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, i) => head[i] === byte)
}

import type { Packing } from '../../ffmpeg/measure-packing.ts'
import type { CutCodec } from '../cut-model.ts'

/** How the pictures at the seams are coded, so that they decode beside those of the source. */
export type SeamCoding = {
  readonly args: readonly string[]
  readonly pixelFormat: string
}

type SeamSets = { readonly setId: number; readonly isRewritten: boolean }

/** How the seams of a source are coded, or why they cannot be. */
export function seamCoding(
  codec: CutCodec,
  packing: Packing,
  { threads, ...sets }: SeamSets & { readonly threads: number },
): SeamCoding | { readonly why: string } {
  if (codec === 'hevc') return hevcSeamCoding(packing, threads)
  return codec === 'vp9' ? vp9SeamCoding(packing) : avcSeamCoding(packing, sets)
}

const avcProfiles: Readonly<Record<string, string>> = {
  Baseline: 'baseline',
  'Constrained Baseline': 'baseline',
  Main: 'main',
  'Constrained High': 'high',
  'Progressive High': 'high',
  High: 'high',
  'High 10': 'high10',
  'High 4:2:2': 'high422',
}

const avcFormats = ['yuv420p', 'yuvj420p', 'yuv420p10le', 'yuv422p', 'yuvj422p', 'yuv422p10le']

/** Few pictures are coded, so they may take many bytes: a constant rate factor that is hard to tell from the source. */
const seamFactor = 10
/** Half the work of `fast`, which encodes whole films, for one decibel less at this factor and about as many bytes. */
const seamPreset = 'veryfast'

/**
 * The settings of x264 beside an H.264 source: its profile and its level. `setId` numbers the parameter sets. If slices are
 * not rewritten for the sets of the source, they have as many references as its own, and are held back as long.
 */
function avcSeamCoding(
  { stream }: Packing,
  { setId, isRewritten }: SeamSets,
): SeamCoding | { readonly why: string } {
  const name = stream.get('profile') ?? 'unknown'
  const profile = avcProfiles[name]
  const pixelFormat = stream.get('pix_fmt') ?? 'unknown'
  if (profile === undefined) return { why: `its H.264 has the profile ${name}` }
  if (!avcFormats.includes(pixelFormat)) return { why: `its pictures are ${pixelFormat}` }
  const settings = {
    'sps-id': setId,
    ...(isRewritten ? plainReferences : avcReferences(stream, profile)),
    keyint: 'infinite',
    scenecut: 0,
    'open-gop': 0,
  }
  const level = Number(stream.get('level') ?? 0)
  return {
    pixelFormat,
    args: [
      ...['-c:v', 'libx264', '-preset', seamPreset, '-crf', String(seamFactor)],
      ...['-profile:v', profile],
      ...(level > 9 ? ['-level:v', String(level)] : []),
      ...['-x264-params', settingsText(settings), '-forced-idr', '1', '-pix_fmt', pixelFormat],
      ...['-a53cc', '0', ...colourArgs(stream)],
    ],
  }
}

/** Each picture refers to the one before it, in the plainest way. */
const plainReferences = { ref: 1, bframes: 0, weightp: 0 }

function avcReferences(stream: Packing['stream'], profile: string) {
  const heldBack = Number(stream.get('has_b_frames') ?? 0)
  const isReordered = heldBack > 0 && profile !== 'baseline'
  return {
    ref: Math.min(16, Math.max(1, Number(stream.get('refs') ?? 1) || 1)),
    bframes: isReordered ? 3 : 0,
    'b-pyramid': isReordered && heldBack > 1 ? 'normal' : 'none',
  }
}

const hevcProfiles = ['Main', 'Main 10', 'Rext']

/** The settings of x265 beside an HEVC source. It makes parameter sets of its own, which get another number later. */
function hevcSeamCoding(
  { stream }: Packing,
  threads: number,
): SeamCoding | { readonly why: string } {
  const profile = stream.get('profile') ?? 'unknown'
  const pixelFormat = stream.get('pix_fmt') ?? 'unknown'
  if (!hevcProfiles.includes(profile)) return { why: `its HEVC has the profile ${profile}` }
  const settings = {
    'log-level': 'error',
    info: 0,
    pools: threads,
    bframes: 0,
    keyint: -1,
    scenecut: 0,
    'open-gop': 0,
    'repeat-headers': 0,
  }
  return {
    pixelFormat,
    args: [
      ...['-c:v', 'libx265', '-preset', 'superfast', '-crf', String(seamFactor)],
      ...['-x265-params', settingsText(settings), '-forced-idr', '1', '-pix_fmt', pixelFormat],
      ...['-tag:v', 'hvc1', ...colourArgs(stream)],
    ],
  }
}

/** Its profile follows from the form of the pixels. */
const vp9Formats = ['yuv420p', 'yuv422p', 'yuv440p', 'yuv444p'].flatMap((format) => [
  format,
  `${format}10le`,
  `${format}12le`,
])

/** As near to the source as seams of H.264, on a scale that reaches to 63. */
const vp9SeamFactor = 6

/** The settings of libvpx beside a VP9 source. Each packet shows its picture: hidden ones would need some that follow. */
function vp9SeamCoding({ stream }: Packing): SeamCoding | { readonly why: string } {
  const pixelFormat = stream.get('pix_fmt') ?? 'unknown'
  if (!vp9Formats.includes(pixelFormat)) return { why: `its pictures are ${pixelFormat}` }
  return {
    pixelFormat,
    args: [
      ...['-c:v', 'libvpx-vp9', '-crf', String(vp9SeamFactor), '-b:v', '0', '-g', '9999'],
      ...['-deadline', 'realtime', '-cpu-used', '5', '-row-mt', '1'],
      ...['-lag-in-frames', '0', '-auto-alt-ref', '0', '-pix_fmt', pixelFormat],
      ...colourArgs(stream),
    ],
  }
}

function settingsText(settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join(':')
}

const colourOptions = [
  ['color_range', '-color_range'],
  ['color_space', '-colorspace'],
  ['color_transfer', '-color_trc'],
  ['color_primaries', '-color_primaries'],
  ['chroma_location', '-chroma_sample_location'],
] as const

/** Colours are tagged as in the source; what it does not say stays unsaid. */
function colourArgs(stream: Packing['stream']): string[] {
  return colourOptions.flatMap(([name, option]) => {
    const value = stream.get(name)
    const isKnown = value !== undefined && /^[a-z0-9-]+$/.test(value)
    return isKnown && value !== 'unknown' && value !== 'unspecified' ? [option, value] : []
  })
}

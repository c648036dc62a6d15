import type { Packing } from '../../ffmpeg/measure-packing.ts'
import { CutFault } from '../cut-fault.ts'
import type { CutSource } from '../cut-model.ts'
import { freeAvcSetId, holdHevcSetId } from '../mp4/describe-film.ts'

/** The profiles of H.264 that can be coded, as ffprobe names them and as x264 does. */
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
const hevcProfiles = ['Main', 'Main 10', 'Rext']
/** Its profile follows from the form of the pixels. */
const vp9Formats = ['yuv420p', 'yuv422p', 'yuv440p', 'yuv444p'].flatMap((format) => [
  format,
  `${format}10le`,
  `${format}12le`,
])

type SeamSource = Pick<CutSource, 'codec' | 'packing' | 'model' | 'parameterSets'>

/** How seams are coded so that they decode next to the pictures of the source: options of ffmpeg. */
export function seamCoding(source: SeamSource, threads: number): string[] {
  const { stream } = source.packing
  const pixelFormat = stream.get('pix_fmt') ?? 'unknown'
  const formats = { h264: avcFormats, vp9: vp9Formats, hevc: [pixelFormat] }[source.codec]
  const args = { h264: avcArgs, vp9: vp9Args, hevc: hevcArgs }[source.codec](source, threads)
  if (!formats.includes(pixelFormat)) throw new CutFault(`its pictures are ${pixelFormat}`)
  return [...args, '-pix_fmt', pixelFormat, ...colourArgs(stream)]
}

/**
 * The constant rate factor of quality 100, whose pictures match footage at 49 dB and more. A factor of 10 takes 1.6 times the
 * bytes for two decibels more, and films with many short pauses between long groups became twice as large as their sources.
 */
const seamFactor = '14'
/** Equally good on the scale of VP9, which goes to 63. */
const vp9SeamFactor = '14'
/** Half the work of `fast`, which encodes whole films, for one decibel less at this factor and about as many bytes. */
const seamPreset = 'veryfast'
/** Groups begin only where they are told to, and none is open. */
const plainGroups = { scenecut: 0, 'open-gop': 0 }

/**
 * x264 next to an H.264 source: its profile and its level. If slices are not rewritten for the parameter sets of the source,
 * they have as many references as its own, and the same delay.
 */
function avcArgs({ packing: { stream }, model, parameterSets }: SeamSource): string[] {
  const name = stream.get('profile') ?? 'unknown'
  const profile = avcProfiles[name]
  if (profile === undefined) throw new CutFault(`its H.264 has the profile ${name}`)
  const settings = {
    'sps-id': freeAvcSetId(model.description),
    ...(parameterSets ? plainReferences : avcReferences(stream, profile)),
    keyint: 'infinite',
    ...plainGroups,
  }
  const level = Number(stream.get('level') ?? 0)
  return [
    ...['-c:v', 'libx264', '-preset', seamPreset, '-crf', seamFactor, '-profile:v', profile],
    ...(level > 9 ? ['-level:v', String(level)] : []),
    ...['-x264-params', settingsText(settings), '-forced-idr', '1', '-a53cc', '0'],
  ]
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

/** x265 next to an HEVC source. It makes parameter sets of its own, which are given another number later. */
function hevcArgs({ packing: { stream }, model }: SeamSource, threads: number): string[] {
  const profile = stream.get('profile') ?? 'unknown'
  if (!hevcProfiles.includes(profile)) throw new CutFault(`its HEVC has the profile ${profile}`)
  holdHevcSetId(model.description)
  const logging = { 'log-level': 'error', info: 0, pools: threads }
  const settings = { ...logging, bframes: 0, keyint: -1, ...plainGroups, 'repeat-headers': 0 }
  return [
    ...['-c:v', 'libx265', '-preset', 'superfast', '-crf', seamFactor],
    ...['-x265-params', settingsText(settings), '-forced-idr', '1', '-tag:v', 'hvc1'],
  ]
}

/** libvpx next to a VP9 source. Each packet shows its picture: hidden ones would need some that follow. */
function vp9Args(): string[] {
  return [
    ...['-c:v', 'libvpx-vp9', '-crf', vp9SeamFactor, '-b:v', '0', '-g', '9999'],
    ...['-deadline', 'realtime', '-cpu-used', '5', '-row-mt', '1'],
    ...['-lag-in-frames', '0', '-auto-alt-ref', '0'],
  ]
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

/** Colours are tagged as in the source; what it does not declare stays undeclared. */
function colourArgs(stream: Packing['stream']): string[] {
  return colourOptions.flatMap(([name, option]) => {
    const value = stream.get(name)
    const isKnown = value !== undefined && /^[a-z0-9-]+$/.test(value)
    return isKnown && value !== 'unknown' && value !== 'unspecified' ? [option, value] : []
  })
}

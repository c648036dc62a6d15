import { z } from 'zod'

/**
 * The filters of pictures that a film may use, and the arguments that each may have. Only `ass` opens a file, which comes with
 * the part.
 */
const pictureFilterArgs = {
  alphamerge: [],
  ass: ['filename', 'fontsdir', 'shaping'],
  blend: ['all_mode', 'c3_mode'],
  bwdif: ['mode', 'parity', 'deint'],
  chromakey: ['color', 'similarity', 'blend', 'yuv'],
  color: ['c', 's', 'r', 'd'],
  concat: ['n', 'v', 'a'],
  crop: ['w', 'h', 'x', 'y', 'exact'],
  decimate: [],
  estdif: ['mode', 'parity', 'deint'],
  extractplanes: ['planes'],
  fieldmatch: ['order'],
  format: ['pix_fmts'],
  fps: ['fps', 'round', 'start_time', 'eof_action'],
  gblur: ['sigma', 'steps', 'enable'],
  geq: ['r', 'g', 'b', 'a'],
  hflip: [],
  hstack: [],
  lut3d: ['interp'],
  lutyuv: ['y', 'u', 'v', 'a', 'enable'],
  negate: [],
  overlay: ['x', 'y', 'eval', 'shortest', 'enable'],
  pad: ['w', 'h', 'x', 'y', 'color', 'eval'],
  premultiply: ['inplace'],
  rotate: ['a', 'ow', 'oh', 'c'],
  scale: ['w', 'h', 'flags', 'out_color_matrix', 'out_range', 'eval'],
  select: ['expr'],
  sendcmd: ['c'],
  setfield: ['mode'],
  setparams: ['color_primaries', 'color_trc', 'colorspace'],
  setpts: ['expr'],
  setsar: ['sar'],
  settb: ['expr'],
  split: [],
  tonemap: ['tonemap', 'desat'],
  tpad: ['stop_mode', 'stop'],
  transpose: ['dir'],
  trim: ['end_frame', 'start', 'end'],
  unpremultiply: ['inplace'],
  // Only for whole films: their arguments name files.
  vidstabdetect: [],
  vidstabtransform: [],
  vflip: [],
  vstack: [],
  zscale: ['transfer', 'npl', 'primaries', 'matrix', 'range'],
} as const satisfies Record<string, readonly string[]>
export type PictureFilter = keyof typeof pictureFilterArgs

/** The settings of the encoders that a part may ask for, and how their values are written. */
const codingValues = {
  '-c:v': /^(libx264|libvpx-vp9)$/,
  '-crf': /^\d{1,2}(\.\d+)?$/,
  '-b:v': /^0$/,
  '-preset': /^fast$/,
  '-profile:v': /^high$/,
  '-x264-params': /^rc-lookahead=10:ref=1$/,
  '-deadline': /^good$/,
  '-cpu-used': /^\d$/,
  '-row-mt': /^1$/,
  '-tile-columns': /^\d$/,
  '-g': /^\d{1,4}$/,
  '-fps_mode:v': /^[cv]fr$/,
  '-enc_time_base:v': /^1:90000$/,
  '-a53cc': /^0$/,
  '-bf': /^0$/,
  '-pix_fmt': /^yuv420p$/,
  '-color_range': /^tv$/,
  '-threads': /^\d{1,2}$/,
} as const satisfies Record<string, RegExp>
type CodingName = keyof typeof codingValues
const codingNames = Object.keys(codingValues) as [CodingName, ...CodingName[]]

/** A name in the folder of the job, chosen by the service. */
const fileName = z.string().regex(/^(fonts\/)?[A-Za-z0-9][\w .-]{0,100}$/)
const streamRef = z.strictObject({ node: z.int().min(0), pad: z.int().min(0).max(1_000) })
const seconds = z.number().min(0).max(1e6)

const inputNode = z.strictObject({
  type: z.literal('input'),
  /** The name of one of `files`. */
  file: fileName,
  demuxer: z.enum(['mov', 'matroska', 'avi', 'gif', 'png_pipe', 'jpeg_pipe', 'rawvideo']),
  /** The key picture to begin with; from the start if absent. */
  seekSeconds: seconds.optional(),
  isLooped: z.boolean(),
  /** The decoder that keeps transparency. */
  decoder: z.enum(['libvpx', 'libvpx-vp9']).optional(),
  holdsSize: z.boolean(),
  keepsTurn: z.boolean(),
})

const filterNode = z.strictObject({
  type: z.literal('filter'),
  name: z.enum(Object.keys(pictureFilterArgs) as [PictureFilter, ...PictureFilter[]]),
  /** Distinguishes it from others of its name, so that commands can be sent to it. */
  instance: z
    .string()
    .regex(/^(?:element\d{1,4}|film(?:In|Out))$/)
    .optional(),
  args: z.array(z.tuple([z.string(), z.union([z.string().max(1_000_000), z.number()])])).max(12),
  inputs: z.array(streamRef).max(1_000),
  outputs: z.int().min(1).max(8),
})

/** Whether a filter has only arguments of its own, and no file but one that comes with the part. */
function holdsArgs({ name, args }: z.infer<typeof filterNode>, texts: readonly string[]): boolean {
  const known: readonly string[] = pictureFilterArgs[name]
  return args.every(([arg, value]) => {
    if (arg === 'filename') return typeof value === 'string' && texts.includes(value)
    if (arg === 'fontsdir') return value === 'fonts'
    return known.includes(arg)
  })
}

/**
 * One part of a film as data: all that a media worker needs to render it beside others. It compiles the graph itself, with its
 * own limits and confinement, and runs no arguments that were sent to it.
 */
export const partSpec = z
  .strictObject({
    version: z.literal(1),
    n: z.int().min(0).max(10_000),
    /** The files that are read, in the folder of the job. */
    files: z.array(
      z.strictObject({
        name: fileName,
        role: z.enum(['source', 'element', 'font']),
        sizeBytes: z.int().min(0),
      }),
    ),
    /** Texts that are written into the folder of the job beside them. */
    texts: z.array(z.strictObject({ name: fileName, text: z.string().max(8_000_000) })).max(8),
    /** Each reads only from those before it. */
    nodes: z.array(z.union([inputNode, filterNode])).max(20_000),
    picture: streamRef,
    /** Film time of the first picture that is encoded, which is 0 in the file of the part. */
    zeroSeconds: seconds,
    /** Pictures that are encoded only to warm the encoder up, before and after the part. */
    before: z.int().min(0).max(1_000),
    count: z.int().min(1).max(10_000_000),
    after: z.int().min(0).max(1_000),
    /** In seconds of the film: what is encoded, and two spans whose pictures are hashed, around the ends of the part. */
    encoded: z.tuple([seconds, seconds.nullable()]),
    edges: z.array(z.tuple([seconds, seconds])).max(2),
    /** Where groups begin, in seconds of the file of the part. */
    keys: z.array(seconds).max(2),
    /** Pictures in a second, for the timing of warm-up pictures. */
    fps: z.number().positive().max(1_000),
    hasConstantRate: z.boolean(),
    coding: z.array(
      z
        .tuple([z.enum(codingNames), z.string()])
        .refine(([name, value]) => codingValues[name].test(value)),
    ),
  })
  .refine(({ nodes, texts }) => {
    const names = texts.map(({ name }) => name)
    return nodes.every((node, i) => {
      if (node.type === 'input') return true
      return node.inputs.every((input) => input.node < i) && holdsArgs(node, names)
    })
  }, 'A filter has an unknown argument, or reads from behind itself')
export type PartSpec = z.infer<typeof partSpec>

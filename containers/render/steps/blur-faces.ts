import { connect, inputFile, pipe, pipeAll, streamOf } from '../../graph/filter-graph.ts'
import { renderStep } from '../render-state.ts'

/** Blocks of the shorter side. A face of half the picture has 12 of them, blurred into each other: that cannot be undone. */
const blocks = 24
const spread = 1.5

/** The mask counts from a little before the film. */
const maskClock = { rate: 10, leadSeconds: 0.5 } as const
/** The clocks of a film and of the mask may round differently; no two pictures are that close. */
const earlySeconds = 0.0001

/** Covers the faces of every clip. It is the first step, so that the pictures are those in which faces were found. */
export const blurFaces = renderStep({
  name: 'blur-faces',
  reads: ['blurFaces'],
  shapeClip(picture, { blurFaces: isAsked }) {
    const { faces, video, width: w, height: h } = picture
    if (!isAsked || !faces) return picture
    const size = `${faces.width}x${faces.height}`
    const reading = [
      '-pixel_format',
      'gray',
      '-video_size',
      size,
      '-framerate',
      String(maskClock.rate),
    ]
    const mask = pipeAll(streamOf(inputFile(faces.path, 'rawvideo', reading), 'video', 0), [
      ['setpts', { expr: `round(PTS-${maskClock.leadSeconds}/TB)` }],
      ['scale', { w, h, flags: 'bilinear' }],
      ['format', { pix_fmts: 'gray' }],
    ])
    const block = Math.max(1, Math.min(w, h) / blocks)
    const coarse = (side: number): number => Math.max(2, Math.round(side / block))
    const [whole, seen] = connect('split', [video], ['video', 'video'])
    const blurred = pipeAll(seen, [
      ['scale', { w: coarse(w), h: coarse(h), flags: 'area' }],
      ['gblur', { sigma: spread, steps: 2 }],
      ['scale', { w, h, flags: 'bicubic' }],
    ])
    // The mask is longer than the film, which would otherwise go on with it.
    const [cut] = connect('alphamerge', [blurred, mask], ['video'], { shortest: 1 })
    const above = pipe(cut, 'setpts', { expr: `round(PTS-${earlySeconds}/TB)` })
    const [covered] = connect('overlay', [whole, above], ['video'], { x: 0, y: 0 })
    return { ...picture, video: covered }
  },
})

import type { OutputFile } from '../../graph/compile-args.ts'
import {
  connect,
  generate,
  pipe,
  pipeAll,
  type Stream,
  type TextFile,
} from '../../graph/filter-graph.ts'
import type { DrawnText } from '../../text/picture-of-text.ts'

/** The folder inside the job folder from which libass takes fonts; it uses no others. */
export const fontsFolder = 'fonts'

/** Draws a subtitle file over a picture. */
export function drawAss(video: Stream<'video'>, file: TextFile): Stream<'video'> {
  const args = { filename: file.path, fontsdir: fontsFolder, shaping: 'complex' }
  const [drawn] = connect('ass', [video], ['video'], args, file)
  return drawn
}

/**
 * Draws a text on a transparent picture. libass can only draw over something: the text is drawn on black and on white,
 * and where the two differ, the picture is transparent. That is exact for any number of layers that cover each other
 * in part.
 */
export function drawText({ width, height, ass }: DrawnText, name: string): OutputFile {
  const file = { path: `${name}.ass`, text: ass }
  const onCanvas = (color: 'black' | 'white'): Stream<'video'> => {
    const canvas = generate('video', 'color', { c: color, s: `${width}x${height}`, r: 1, d: 1 })
    return drawAss(pipe(canvas, 'format', { pix_fmts: 'gbrp' }), file)
  }
  const [shown, compared] = connect('split', [onCanvas('black')], ['video', 'video'])
  const [difference] = connect('blend', [onCanvas('white'), compared], ['video'], {
    all_mode: 'difference',
  })
  const opacity = pipeAll(difference, [['negate'], ['extractplanes', { planes: 'g' }]])
  const [premultiplied] = connect('alphamerge', [shown, opacity], ['video'])
  const stream = pipeAll(premultiplied, [
    ['format', { pix_fmts: 'gbrap' }],
    ['unpremultiply', { inplace: 1 }],
    ['format', { pix_fmts: 'rgba' }],
  ])
  return {
    tracks: [{ stream, coding: ['-c:v', 'png', '-frames:v', '1'] }],
    muxing: ['-f', 'image2pipe'],
    path: `${name}.png`,
  }
}

import { describe, expect, it } from 'vitest'
import { compileArgs } from '../../../containers/graph/compile-args.ts'
import {
  connect,
  inputFile,
  pipe,
  streamOf,
  writtenFile,
  type Stream,
} from '../../../containers/graph/filter-graph.ts'
import { shareGraph } from '../../../containers/graph/share-graph.ts'

/** As two plans make it, each for itself. */
const source = () => pipe(streamOf(inputFile('in0', 'mov'), 'video', 0), 'fps', { fps: 25 })

function compiled(...streams: Stream[]) {
  const shared = shareGraph(streams.map((stream) => [stream]))
  const [first, ...beside] = shared.map((tracks, i) => ({
    tracks: tracks.map((stream) => ({ stream, coding: ['-c:v', 'libx264'] })),
    ...{ muxing: [], path: `out${i}.mp4` },
  }))
  if (!first) throw new Error('Nothing is shared')
  return compileArgs({ ...first, beside, threads: 1, maxPixels: 1e6 })
}

function graphOf(...streams: Stream[]): string {
  const { args } = compiled(...streams)
  return args[args.indexOf('-filter_complex') + 1] ?? ''
}

describe('shareGraph', () => {
  it('does once what several graphs have in common, and splits where they part', () => {
    const [wide, tall] = [160, 90].map((w) => pipe(source(), 'scale', { w }))
    if (!wide || !tall) throw new Error('No graphs')
    expect(graphOf(wide, tall)).toBe(
      '[0:0]fps=fps=25[f0p0];[f0p0]split=outputs=2[f1p0][f1p1];[f1p0]scale=w=160[f2p0];[f1p1]scale=w=90[f3p0]',
    )
  })

  it('hands out one stream that both write', () => {
    expect(graphOf(source(), source())).toBe(
      '[0:0]fps=fps=25[f0p0];[f0p0]split=outputs=2[f1p0][f1p1]',
    )
  })

  it('keeps the commands of one graph from the filters of another', () => {
    const faded = (level: number) =>
      pipe(pipe(source(), 'sendcmd', { c: `1 lutyuv@element0 a ${level};` }), 'lutyuv@element0', {})
    const graph = graphOf(faded(1), faded(2))
    expect(graph).toContain('1 lutyuv@element0of0 a 1')
    expect(graph).toContain('1 lutyuv@element0of1 a 2')
    expect(graph.match(/lutyuv@element0of\d\[/g)).toEqual([
      'lutyuv@element0of0[',
      'lutyuv@element0of1[',
    ])
  })

  it('writes another text than the first of its name beside it', () => {
    const captioned = (text: string): Stream => {
      const file = { path: 'captions.ass', text }
      const [drawn] = connect('ass', [source()], ['video'], { filename: file.path }, file)
      return drawn
    }
    const graph = graphOf(captioned('plain'), captioned('box'), captioned('plain'))
    expect(graph.match(/ass=filename=[\w.-]+/g)).toEqual([
      'ass=filename=captions.ass',
      'ass=filename=1-captions.ass',
    ])
  })

  it('keeps the track of captions of one film apart from that of another', () => {
    const track = (text: string) =>
      streamOf(writtenFile('captions.vtt', 'webvtt', text), 'subtitle', 0)
    const { args, files } = compiled(track('one'), track('other'), track('one'))
    expect(files).toEqual([
      { path: 'captions.vtt', text: 'one' },
      { path: '1-captions.vtt', text: 'other' },
    ])
    expect(args.filter((_, i) => args[i - 1] === '-map')).toEqual(['0:0', '1:0', '0:0'])
  })
})

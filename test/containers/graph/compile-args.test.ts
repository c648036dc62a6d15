import { describe, expect, it } from 'vitest'
import {
  decodersOf,
  compileArgs,
  UnsplitStreamError,
} from '../../../containers/graph/compile-args.ts'
import {
  connect,
  inputFile,
  pipe,
  streamOf,
  type Stream,
} from '../../../containers/graph/filter-graph.ts'

const compile = (streams: readonly Stream[]) =>
  compileArgs({
    tracks: streams.map((stream) => ({ stream, coding: ['-c', 'copy'] })),
    muxing: ['-f', 'mp4'],
    path: 'out.mp4',
    threads: 2,
    maxPixels: 100,
  })

describe('compileArgs', () => {
  it('guards every input and maps streams by their index', () => {
    const file = inputFile('in0', 'mov')
    const { args } = compile([streamOf(file, 'video', 2), streamOf(file, 'audio', 1)])
    const decoders = decodersOf('mov').join(',')
    expect(args.join(' ')).toBe(
      '-nostdin -hide_banner -v error -y -progress pipe:1 -stats_period 0.5 ' +
        '-threads 2 -max_pixels 100 -protocol_whitelist file -format_whitelist mov ' +
        `-codec_whitelist ${decoders} -f mov -i file:in0 ` +
        '-map 0:2 -c copy -map 0:1 -c copy -sn -dn -map_metadata -1 -map_chapters -1 -f mp4 file:out.mp4',
    )
  })

  it('writes each filter once, in the order in which they are needed', () => {
    const video = streamOf(inputFile('in0', 'mov'), 'video', 0)
    const [left, right] = connect('split', [pipe(video, 'hflip')], ['video', 'video'])
    const [stacked] = connect('blend', [left, pipe(right, 'vflip')], ['video'], { inputs: 2 })
    const { args } = compile([stacked])
    expect(args[args.indexOf('-filter_complex') + 1]).toBe(
      '[0:0]hflip[f0p0];[f0p0]split[f1p0][f1p1];[f1p1]vflip[f2p0];[f1p0][f2p0]blend=inputs=2[f3p0]',
    )
  })

  it('refuses a filter output that is read twice', () => {
    const flipped = pipe(streamOf(inputFile('in0', 'mov'), 'video', 0), 'hflip')
    const [stacked] = connect('blend', [flipped, flipped], ['video'])
    expect(() => compile([stacked])).toThrow(UnsplitStreamError)
  })

  it('puts a graph too long for the command line into a file', () => {
    const video = streamOf(inputFile('in0', 'mov'), 'video', 0)
    const long = pipe(video, 'select', { expr: 'n+'.repeat(10_000) })
    const { args, files } = compile([long])
    expect(args).toContain('-filter_complex_script')
    expect(files[0]?.text).toHaveLength('[0:0]select=expr=[f0p0]'.length + 20_000)
  })
})

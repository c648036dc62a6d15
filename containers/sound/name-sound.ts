import { createHash } from 'node:crypto'
import { compileArgs } from '../graph/compile-args.ts'
import { joinedSound } from './sound-graph.ts'
import type { SoundRequest } from './sound-request.ts'

/** Names what is measured of the sound of a timeline: by the bytes of its sources, and by all that is done to them before. */
export function nameSound(
  what: string,
  { clips, timeline }: Pick<SoundRequest, 'clips' | 'timeline'>,
  hashes: readonly string[],
): string {
  const tracks = [{ stream: joinedSound(clips, timeline), coding: [] }]
  const made = compileArgs({ tracks, muxing: [], path: '', threads: 1, maxPixels: 1 })
  const { clipFrames, frameRate } = timeline
  const named = JSON.stringify({ what, hashes, made, clipFrames, frameRate })
  return createHash('sha256').update(named).digest('hex')
}

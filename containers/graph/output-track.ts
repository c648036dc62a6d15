import type { Stream } from './filter-graph.ts'

/** One stream of the result and how it is coded: `['-c:v', 'copy']`. */
export type OutputTrack = { readonly stream: Stream; readonly coding: readonly string[] }

/** The first of the tracks with pictures, or with sound. */
export function trackOf(
  tracks: readonly OutputTrack[],
  kind: 'video' | 'audio',
): OutputTrack | undefined {
  return tracks.find(({ stream }) => stream.kind === kind)
}

/** What follows an option such as `-crf`; undefined without that option. */
export function settingOf(options: readonly string[], option: string): string | undefined {
  const at = options.indexOf(option)
  return at < 0 ? undefined : options[at + 1]
}

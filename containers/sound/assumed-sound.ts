import { soundPath } from './record-timeline.ts'
import type { PreparedSound } from './prepared-sound.ts'
import { changesSound, hasOwnVolume, type JoinedClips, type SoundOptions } from './sound-request.ts'

/** The sound as it will be prepared, for a plan without listening: its level and its pauses are not known. */
export function assumedSound(
  joined: JoinedClips,
  options: SoundOptions,
): PreparedSound | undefined {
  if (!changesSound(joined, options)) return undefined
  const { clips, removed, joints } = joined
  const isCut = removed.all.length + joints.length > 0
  const isLevelled = Boolean(options.normalizeAudio)
  const isCovered = options.bleep !== undefined
  const isChanged =
    options.removeNoise || isCovered || isCut || isLevelled || clips.some(hasOwnVolume)
  return {
    path: soundPath,
    speech: undefined,
    voices: undefined,
    removed,
    loudness: undefined,
    gainDb: isLevelled ? 0 : undefined,
    hasNoiseRemoved: options.removeNoise,
    isUnchanged: clips.length === 1 && !isChanged,
    warnings: [],
  }
}

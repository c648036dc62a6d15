import { open } from 'node:fs/promises'
import type { SoundSource, SourceFormat } from '../../worker/contract/video/sniff-format.ts'
import type { HeldFile } from './source-limits.ts'
import { ByteWindow } from './byte-window.ts'
import { ClaimCounts, type Claiming } from './claim-counts.ts'
import { countAviClaims } from './count-avi-claims.ts'
import { countFlacClaims } from './count-flac-claims.ts'
import { countFlvClaims } from './count-flv-claims.ts'
import { countId3Claims } from './count-id3-claims.ts'
import { countMovClaims } from './count-mov-claims.ts'
import { countMpgClaims } from './count-mpg-claims.ts'
import { countOggClaims } from './count-ogg-claims.ts'
import { countTsClaims } from './count-ts-claims.ts'
import { countWavClaims } from './count-wav-claims.ts'
import { countWebmClaims } from './count-webm-claims.ts'

/** Counts what follows the tags that end at `from`. */
type Counter = (file: Claiming, from: number) => Promise<void>

const counters: Record<SourceFormat | SoundSource, Counter> = {
  mp4: countMovClaims,
  mov: countMovClaims,
  avi: countAviClaims,
  webm: countWebmClaims,
  mkv: countWebmClaims,
  ts: countTsClaims,
  flv: countFlvClaims,
  mpg: countMpgClaims,
  ogv: countOggClaims,
  m4a: countMovClaims,
  ogg: countOggClaims,
  wav: countWavClaims,
  flac: countFlacClaims,
  // Its frames say nothing of each other.
  mp3: async () => undefined,
}

/**
 * Counts what a file claims to hold before any program opens it: a demuxer allocates memory for a whole index at once,
 * and a few bytes of a header can claim billions of entries. Reads headers only and checks nothing but counts; ffmpeg
 * finds out later whether the file is damaged.
 */
export async function checkClaims(
  file: string,
  format: SourceFormat | SoundSource,
  held: HeldFile,
  signal: AbortSignal,
): Promise<void> {
  await using handle = await open(file)
  const bytes = ByteWindow.ofFile(handle, held.sizeBytes)
  const claiming = { bytes, counts: new ClaimCounts(held), signal }
  await counters[format](claiming, await countId3Claims(claiming))
}

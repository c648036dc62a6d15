import type { Foresight, ForeseenResult, Likely } from '../../contract/job/foresight.ts'
import type { Standing } from '../../store/videos/standing.ts'

type Told = Pick<Foresight, 'results' | 'warnings' | 'unknown'>

/** What is foreseen where the result stands already: its own length, size and warnings. */
export function tellStanding(foreseen: readonly ForeseenResult[], { result }: Standing): Told {
  const results = foreseen.map((one) => ({ ...one, ...measuresOf(one, result) }))
  return { results, warnings: result.warnings, unknown: [] }
}

type Measures = Partial<Pick<ForeseenResult, 'duration' | 'sizeInBytes'>>

function measuresOf({ name }: ForeseenResult, result: Standing['result']): Measures {
  const { videoMetadata, named = [], outputs } = result
  if (name === undefined) return videoMetadata ? measured(videoMetadata) : {}
  const made = named.find((one) => one.name === name)
  if (!made) return {}
  const files = [made.kind, ...(made.files ?? [])].map((kind) => outputs[kind]?.sizeBytes ?? 0)
  return measured({ ...made, sizeInBytes: files.reduce((sum, size) => sum + size, 0) })
}

/** Stills have no duration. */
function measured({
  duration,
  sizeInBytes,
}: {
  duration?: number | undefined
  sizeInBytes: number
}): Measures {
  return {
    ...(duration !== undefined && { duration: certainly(duration) }),
    sizeInBytes: certainly(sizeInBytes),
  }
}

const certainly = (value: number): Likely => ({ likely: value, least: value, most: value })

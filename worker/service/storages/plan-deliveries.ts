import { fileInFolder, type OutputKind } from '../../contract/job/media-job.ts'
import {
  expectedKey,
  expectedResults,
  onlyResult,
  resultsFor,
  type ShownDelivery,
} from '../../contract/storages/destination.ts'
import { firstKeyOf, folderOfKey, keyOf } from '../../contract/storages/key-template.ts'
import { keyFault } from '../../contract/storages/object-key.ts'
import type { StoredDelivery, VideoResult, VideoRow } from '../../store/tables/tables.ts'
import { shorten } from '../videos/name-video.ts'

type NamedVideo = Pick<VideoRow, 'id' | 'name' | 'request' | 'createdAt'>

/** Every result of the video at every destination of its request. */
export function planDeliveries(video: NamedVideo, result: VideoResult): StoredDelivery[] {
  const { destinations = [], analyzeOnly } = video.request
  if (analyzeOnly) return []
  const made: readonly {
    name: string
    kind: OutputKind
    files?: readonly OutputKind[] | undefined
  }[] = result.named ?? [{ name: onlyResult, kind: 'final' }]
  return destinations.flatMap((destination) =>
    resultsFor(destination, made).map(({ name, kind, files = [] }): StoredDelivery => {
      const extension = result.outputs[kind]?.extension ?? ''
      const asked = keyOf(destination.key, { ...partsOf(video), name, extension })
      const key = files.length === 0 ? asked : firstKeyOf(asked, extension)
      const reason = keyFault(key)
      return {
        ...{ storage: destination.storage, key, output: name, kinds: [kind, ...files] },
        ...(reason === undefined
          ? { state: 'pending' as const }
          : { state: 'failed' as const, reason: `The key is not possible: ${reason}` }),
      }
    }),
  )
}

/** The deliveries as they will be, while nothing can be delivered yet. */
export function expectDeliveries(video: NamedVideo): ShownDelivery[] {
  const { destinations = [] } = video.request
  return destinations.flatMap((destination) =>
    resultsFor(destination, expectedResults(video.request)).map((one): ShownDelivery => ({
      storage: destination.storage,
      key: expectedKey(destination.key, partsOf(video), one),
      output: one.name,
      state: 'pending',
    })),
  )
}

function partsOf({ id, name, createdAt }: NamedVideo) {
  const safe = name.replace(/[\p{Cc}\p{Bidi_Control}/\\]/gu, '_').replace(/^\.+/, '_')
  return {
    videoId: id,
    videoName: shorten(safe.toWellFormed(), 120).trim(),
    date: new Date(createdAt).toISOString().slice(0, 10),
  }
}

/** One object that a delivery writes. */
type DeliveredFile = { kind: OutputKind; key: string }

/** Where each file of a delivery goes: the others of an output beside the first, under the names by which it refers to them. */
export function filesOf({ key, kinds }: StoredDelivery, result: VideoResult): DeliveredFile[] {
  const extensionOf = (kind: OutputKind) => result.outputs[kind]?.extension ?? ''
  const [main, ...others] = kinds
  if (main === undefined) return []
  if (others.length === 0) return [{ kind: main, key }]
  const folder = folderOfKey(key)
  return kinds.map((kind) => ({ kind, key: `${folder}/${fileInFolder(kind, extensionOf(kind))}` }))
}

/** The names of results that were removed here because all of their deliveries were made. */
export function removedResults({ deliveries = [], outputs }: VideoResult): string[] {
  const gone = deliveries.filter(({ kinds: [main] }) => main !== undefined && !outputs[main])
  return [...new Set(gone.map(({ output }) => output))]
}

/** The results that may be removed: `keep` is false, and every delivery of them was made. */
export function removableKinds(request: VideoRow['request'], { deliveries = [] }: VideoResult) {
  const names = new Set(deliveries.map(({ output }) => output))
  return [...names].flatMap((name): readonly OutputKind[] => {
    const own = deliveries.filter(({ output }) => output === name)
    const mayGo = (request.destinations ?? []).some(
      (destination) => !destination.keep && resultsFor(destination, [{ name }]).length > 0,
    )
    const isMade = own.every(({ state }) => state === 'delivered')
    return mayGo && isMade ? (own[0]?.kinds ?? []) : []
  })
}
